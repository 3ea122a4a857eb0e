// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaspark

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

const maxName = 255

// names of what Pravega keeps for itself begin with an underscore.
var nameCharacters = regexp.MustCompile(`^_?[A-Za-z0-9.-]+$`)

func (f *findings) names() {
	for _, option := range []string{Scope, Stream} {
		name, ok := f.known(option)
		switch {
		case !ok:
		case name.text == "":
			f.add(Refused, option, option+" is empty", "The connector needs the name.")
		case len(name.text) > maxName || !nameCharacters.MatchString(name.text):
			f.add(Refused, option, "Not a name for a Pravega "+option,
				fmt.Sprintf("%q cannot be the name of a %s: Pravega allows 1 to %d letters a-z and A-Z, digits, \".\" and \"-\". Scope and stream are two options.", name.text, option, maxName))
		}
	}
}

// address is what Pravega's client reads: it compares the scheme in lower case
// alone, takes one name without a scheme for tcp, and no IPv6 address.
var address = regexp.MustCompile(`^(?:(?:tcp|ssl|tls|pravega|pravegas)://` + hostPort + `(?:,` + hostPort + `)*(?:/[^@\s]*)?|[A-Za-z][A-Za-z0-9.-]*:[0-9]{1,5})$`)

const hostPort = `[A-Za-z0-9._-]+:[0-9]{1,5}`

// addressed tells whether Pravega's client takes an address.
func addressed(uri string) bool {
	if !address.MatchString(uri) {
		return false
	}
	for _, port := range portForm.FindAllStringSubmatch(uri, -1) {
		if number, err := strconv.Atoi(port[1]); err != nil || number > math.MaxUint16 {
			return false
		}
	}
	return true
}

var portForm = regexp.MustCompile(`:([0-9]{1,5})(?:[,/]|$)`)

func (f *findings) controller() {
	uri, ok := f.known(Controller)
	if !ok {
		return
	}
	scheme, rest, found := strings.Cut(uri.text, "://")
	if !found {
		scheme, rest = "", uri.text
	}
	switch {
	case addressed(uri.text):
	case strings.Contains(rest, "@"):
		// The value is not repeated: it may hold a password.
		f.add(Refused, Controller, "A controller with a user name in it",
			"Pravega's client fails on it, and it would be kept readable in the state. Give credentials to the job's Pravega client by other means, such as its environment (pravega_client_auth_method, pravega_client_auth_token).")
	case scheme == "http" || scheme == "https":
		f.add(Refused, Controller, "The controller's REST endpoint in the place of its own",
			fmt.Sprintf("Jobs do not talk REST: %q is what the provider's pravega.endpoint is for. Write the controller's own address, such as tcp://host:9090.", uri.text))
	default:
		f.add(Refused, Controller, "Not the address of a Pravega controller",
			fmt.Sprintf("It is %q; Pravega's client takes protocol://host:port with tcp, ssl, tls, pravega or pravegas in lower case, and fails only when the job runs.", uri.text))
	}
}

// Places in a stream that have names, which the connector takes in any case.
const (
	earliest  = "earliest"
	latest    = "latest"
	unbounded = "unbounded"
)

func (f *findings) cuts() {
	for _, option := range []string{StartStreamCut, EndStreamCut} {
		cut, ok := f.known(option)
		if !ok {
			continue
		}
		switch place := strings.ToLower(flinkvalue.Trim(cut.text)); {
		case place == earliest && option == EndStreamCut:
			f.add(Refused, option, "No job can end at the earliest event", "The connector throws an exception without a reason. Use \"latest\", \"unbounded\" or a stream cut.")
		case place == latest && option == StartStreamCut:
			f.startAtLatest()
		case place == earliest, place == latest, place == unbounded:
		default:
			f.cut(option, cut.text)
		}
		if option == EndStreamCut && f.Mode == Streaming && strings.ToLower(flinkvalue.Trim(cut.text)) != unbounded {
			f.add(Void, option, option+" has no effect in a streaming job",
				"The connector does not look at it again once the job runs: each micro-batch ends where the stream ends then. Remove it, or use mode = \"batch\".")
		}
	}
}

// startAtLatest checks a start that only streaming jobs can have.
func (f *findings) startAtLatest() {
	switch f.Mode {
	case Batch:
		f.add(Refused, StartStreamCut, "A batch job cannot start at the latest event", "The connector throws an exception without a reason. Use \"earliest\", \"unbounded\" or a stream cut.")
	case Streaming:
	default:
		f.add(Risk, StartStreamCut, "A batch job cannot start at the latest event",
			"With these options a batch job fails without a reason. Use \"earliest\", \"unbounded\" or a stream cut, or set mode = \"streaming\" if they are for streaming jobs.")
	}
}

// cut checks the text of a stream cut.
func (f *findings) cut(option, text string) {
	stream, err := streamOfCut(text)
	if err != nil {
		f.add(Refused, option, option+" is neither a word that the connector knows nor a stream cut",
			fmt.Sprintf("Write \"earliest\", \"latest\", \"unbounded\", or the text of a stream cut exactly as Pravega gave it: %s.", err))
		return
	}
	scope, scopeKnown := f.known(Scope)
	name, nameKnown := f.known(Stream)
	if wanted := scope.text + "/" + name.text; scopeKnown && nameKnown && stream != wanted {
		f.add(Risk, option, option+" belongs to another stream", fmt.Sprintf("It is a place in %q, and the job is to read %q.", stream, wanted))
	}
}

// maxCut is how far a text is looked into: a cut has some bytes for each
// segment, and the stream comes first.
const maxCut = 1 << 20

// streamOfCut reads the stream's name ("scope/stream") out of a stream cut:
// gzipped text in base-64.
func streamOfCut(text string) (string, error) {
	packed, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(flinkvalue.Trim(text), "="))
	if err != nil || len(packed) == 0 {
		return "", errors.New("this is no base-64")
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", errors.New("what the base-64 holds is no stream cut")
	}
	content, err := io.ReadAll(io.LimitReader(reader, maxCut))
	if err != nil {
		return "", errors.New("the stream cut is not whole")
	}
	match := cutForm.FindSubmatch(content)
	if match == nil {
		return "", errors.New("what the base-64 holds is no stream cut")
	}
	return string(match[1]), nil
}

// cutForm is the version, the stream, and what else is in a stream cut.
var cutForm = regexp.MustCompile(`^[0-9]+:([^:/]+/[^:/]+):`)
