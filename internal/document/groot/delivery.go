// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import "encoding/base64"

// Form is how a job file reaches the program.
type Form string

// The forms.
const (
	// Inline gives the text itself.
	Inline Form = "inline"
	// Base64 gives the text in base64, which passes through anything.
	Base64 Form = "base64"
	// Path gives the path of a file that is there already.
	Path Form = "path"
)

// Forms lists them.
func Forms() []string { return []string{string(Inline), string(Base64), string(Path)} }

// DefaultArgument comes before the file where nothing else is said.
const DefaultArgument = "--config"

// Delivery is how the file reaches the program.
type Delivery struct {
	Form Form
	// Argument comes before the file, empty for none.
	Argument string
	// Path is the file's, with that form.
	Path string
}

// Args are the arguments of the program: those that are given, then the file.
func (d Delivery) Args(file string, given []string) []string {
	args := append([]string{}, given...)
	if d.Argument != "" {
		args = append(args, d.Argument)
	}
	switch d.Form {
	case Path:
		return append(args, d.Path)
	case Base64:
		return append(args, base64.StdEncoding.EncodeToString([]byte(file)))
	case Inline:
	}
	return append(args, file)
}
