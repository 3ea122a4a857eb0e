// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
)

// contents is what REST lists in a scope. Pravega's own streams, which the list
// of streams hides, are those of reader groups, and marks of streams that go with them.
type contents struct {
	streams, groups []string
	// hidden is true when a list could not be read.
	hidden bool
}

func contentsOf(ctx context.Context, client *api.Client, scope string) contents {
	streams, streamErr := client.Streams(ctx, scope, nil)
	groups, groupErr := client.ReaderGroups(ctx, scope)
	unread := func(err error) bool { return err != nil && !errors.Is(err, api.ErrNotFound) }
	c := contents{groups: groups, hidden: unread(streamErr) || unread(groupErr)}
	for _, stream := range streams {
		c.streams = append(c.streams, stream.Name)
	}
	return c
}

// String names what was found, "" for nothing.
func (c contents) String() string {
	var found []string
	if len(c.streams) > 0 {
		found = append(found, "streams: "+enumerate(c.streams))
	}
	if len(c.groups) > 0 {
		found = append(found, "reader groups: "+enumerate(c.groups))
	}
	if c.hidden && len(found) > 0 {
		found = append(found, "and what could not be listed")
	}
	return strings.Join(found, "; ")
}

// remaining says what is left in a scope that could not be emptied.
func remaining(ctx context.Context, client *api.Client, scope string) string {
	c := contentsOf(ctx, client, scope)
	switch found := c.String(); {
	case found != "":
		return fmt.Sprintf("Still in it are %s. Everything else was deleted. A stream that is still there may be sealed by now: it can be read, but nothing can be written to it. Destroy again to go on.", found)
	case c.hidden:
		return "What is left in it could not be listed. Destroy again to go on."
	}
	return "No stream or reader group is listed in it any more. Destroy again to go on."
}

// notEmpty names what keeps a scope from being deleted.
func notEmpty(ctx context.Context, client *api.Client, scope string, force bool) diag.Diagnostic {
	c := contentsOf(ctx, client, scope)
	detail := "Pravega deletes only empty scopes. "
	switch found := c.String(); {
	case found != "" && force:
		detail += fmt.Sprintf("In this one are %s.\n\nThey came in while the scope was emptied. Stop what creates them, then destroy again.", found)
	case found != "":
		detail += fmt.Sprintf("In this one are %s.\n\nDelete or move what is not managed here, or set force_destroy = true and apply that first: destroying the scope then deletes all of it with its data.", found)
	case c.hidden:
		detail += "What is in this one could not be listed with these credentials."
	default:
		detail += "No stream or reader group is listed in this one, so what remains are possibly key-value tables, which REST can neither list nor delete, a stream whose creation failed half-way, or streams that these credentials may not read: those are not listed. " +
			"Delete key-value tables with a Pravega client; import a stream by its name, or create it with adopt_existing = true, and destroy it."
	}
	return diag.NewErrorDiagnostic(scopeTitle(scope)+" is not empty", detail)
}
