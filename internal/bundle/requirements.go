// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxRequirements is more than any requirements file has.
const maxRequirements = 1 << 20

// requirements checks the file that pip is given where the job runs.
func (c *checks) requirements(ctx context.Context, s Source, name string) error {
	clean := path.Clean(name)
	file, there := c.Lookup(clean)
	switch {
	case nameProblem(name) != "":
		c.add(Refused, name, fmt.Sprintf("%q cannot be the requirements file", name), "Name a file below the root of the bundle, with slashes.")
		return nil
	case !there && c.isDirectory(clean):
		c.add(Refused, name, name+" is a directory", "Name the requirements file in it.")
		return nil
	case !there:
		c.add(Refused, name, "The requirements file "+name+" is not in the bundle",
			"It has to lie below the root of the bundle, and must not be left out by includes or excludes.")
		return nil
	case file.Size > maxRequirements:
		c.add(Refused, name, name+" is too large for a requirements file", fmt.Sprintf("It has %d bytes.", file.Size))
		return nil
	}
	content, err := s.content(ctx, file)
	if err != nil {
		return err
	}
	text := bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	// pip also reads UTF-16, as PowerShell writes it; its lines are not checked.
	if utf8.Valid(text) {
		c.lines(clean, requirementLines(string(text)))
	}
	return nil
}

func (c *checks) isDirectory(name string) bool {
	for _, file := range c.Files {
		if strings.HasPrefix(file.Path, name+"/") {
			return true
		}
	}
	return false
}

// content reads a small file again.
func (s Source) content(ctx context.Context, file File) ([]byte, error) {
	tree, err := s.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.close() }()
	r, err := openEntry(tree, entry{path: file.Path, real: cmp.Or(file.real, file.Path)}, newBudget(maxRequirements))
	if err != nil {
		return nil, err
	}
	content := make([]byte, maxRequirements)
	n, err := r.read(ctx, content)
	if closeErr := r.close(); err == nil {
		err = closeErr
	}
	return content[:n], err
}

// requirementLine is a logical line, with the number of its first one.
type requirementLine struct {
	number int
	text   string
}

var comment = regexp.MustCompile(`(^|\s)#.*$`)

// requirementLines joins what a backslash continues, and drops comments, as
// pip does. Either line ending will do.
func requirementLines(text string) []requirementLine {
	var all []requirementLine
	current := requirementLine{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if current.number == 0 {
			current.number = i + 1
		}
		if more, continued := strings.CutSuffix(line, `\`); continued && !comment.MatchString(line) {
			current.text += more
			continue
		}
		current.text = strings.TrimSpace(comment.ReplaceAllString(current.text+line, ""))
		if current.text != "" {
			all = append(all, current)
		}
		current = requirementLine{}
	}
	if current.text = strings.TrimSpace(current.text); current.text != "" {
		all = append(all, current)
	}
	return all
}

var (
	otherFile = regexp.MustCompile(`^(-r|--requirement|-c|--constraint)([ =]|$)`)
	editable  = regexp.MustCompile(`^(-e|--editable)([ =]|$)`)
	localPath = regexp.MustCompile(`^(\.{1,2}([/\\]|$)|[/~]|[A-Za-z]:[/\\]|file:)|@\s*file:`)
	password  = regexp.MustCompile(`://[^/\s@]+@`)
	// pinned is one version, or one address.
	pinned = regexp.MustCompile(`===|==\s*[^\s*,;]+\s*([;,]|--|$)|@\s*[a-z+]+://|^[a-z+]+://`)
)

func (c *checks) lines(name string, lines []requirementLine) {
	var others, locals, loose, secret []string
	for _, line := range lines {
		requirement := line.text
		if password.MatchString(requirement) {
			secret = append(secret, fmt.Sprintf("line %d", line.number))
		}
		said := fmt.Sprintf("line %d (%s)", line.number, password.ReplaceAllString(shown(requirement), "://...@"))
		target := strings.TrimSpace(editable.ReplaceAllString(requirement, ""))
		switch {
		case otherFile.MatchString(requirement):
			others = append(others, said)
		case localPath.MatchString(target):
			locals = append(locals, said)
		case strings.HasPrefix(requirement, "-") && !editable.MatchString(requirement):
		case !pinned.MatchString(target):
			loose = append(loose, said)
		}
	}
	for _, found := range []struct {
		lines           []string
		summary, detail string
	}{
		{others, "names another file", "Where the job runs there is the requirements file alone. Write the other file's lines into it."},
		{locals, "names a directory or a file of this machine", "pip finds nothing there where the job runs. Put the code into the bundle, or publish it to an index."},
		{secret, "holds a password", "It can be read by everyone who can read the bundle. Configure pip on the cluster instead."},
		{loose, "does not name one version", "What is installed depends on the day on which the job, or one of its workers, starts. Write ==."},
	} {
		if len(found.lines) > 0 {
			c.add(Risk, name, fmt.Sprintf("%s %s", name, found.summary), found.detail+" See "+listed(found.lines)+".")
		}
	}
}

// Requirements is the content of the requirements file of a bundle, of whose
// manifest it is.
func (s Source) Requirements(ctx context.Context, m *Manifest, name string) ([]byte, error) {
	file, there := m.Lookup(path.Clean(name))
	if !there || file.Size > maxRequirements {
		return nil, &Error{Kind: KindRead, Path: name, Summary: "the requirements file " + name + " is not in the bundle"}
	}
	return s.content(ctx, file)
}
