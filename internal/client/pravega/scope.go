// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// SystemScope is the controller's own scope.
const SystemScope = "_system"

type wireScope struct {
	Name string `json:"scopeName"`
}

func scopeName(name string) string { return fmt.Sprintf("scope %q", name) }

// Scopes names all scopes that the credentials may see, in order, without the
// controller's own.
func (c *Client) Scopes(ctx context.Context) ([]string, error) {
	var out map[string]json.RawMessage
	if err := c.get(ctx, "the list of scopes", &out, nil, "scopes"); err != nil {
		return nil, err
	}
	var scopes []wireScope
	// The key is missing when none may be seen; then there is no other either.
	if content, ok := out["scopes"]; ok || len(out) > 0 || out == nil {
		if err := json.Unmarshal(content, &scopes); err != nil {
			return nil, notAPI("GET /v1/scopes")
		}
	}
	names := []string{}
	for _, scope := range scopes {
		if scope.Name != SystemScope {
			names = append(names, scope.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Scope returns nil if the scope exists, ErrNotFound if not.
func (c *Client) Scope(ctx context.Context, name string) error {
	var out wireScope
	if err := c.get(ctx, scopeName(name), &out, nil, "scopes", name); err != nil {
		return err
	}
	if out.Name != name {
		return notAPI("GET /v1/scopes/" + name)
	}
	return nil
}

// CreateScope creates a scope. ErrExists means that somebody else did, before
// this call began; after a lost answer the scope is looked for instead.
func (c *Client) CreateScope(ctx context.Context, name string) error {
	ambiguous := false
	for try := 0; ; try++ {
		err := c.write(ctx, scopeName(name), http.MethodPost, wireScope{Name: name}, "scopes")
		switch {
		case err == nil:
			return c.Scope(ctx, name)
		case ambiguous && errors.Is(err, ErrExists):
			return nil
		case !unknown(err):
			return err
		}
		ambiguous = true
		readErr := c.Scope(ctx, name)
		if readErr == nil || !errors.Is(readErr, ErrNotFound) {
			return readErr
		}
		if !c.pause(ctx, try) {
			return err
		}
	}
}

// DeleteScope deletes an empty scope. One that is gone is no error; one that
// is not empty gives ErrNotEmpty.
func (c *Client) DeleteScope(ctx context.Context, name string) error {
	for try := 0; ; try++ {
		err := c.write(ctx, scopeName(name), http.MethodDelete, nil, "scopes", name)
		switch {
		case err == nil, errors.Is(err, ErrNotFound):
			return nil
		case !unknown(err):
			return err
		}
		if !c.pause(ctx, try) {
			return err
		}
	}
}

// EmptyScope seals and deletes every stream of a scope and deletes every
// reader group. Key-value tables can neither be seen nor deleted over REST.
func (c *Client) EmptyScope(ctx context.Context, name string) error {
	groups, err := c.ReaderGroups(ctx, name)
	if err != nil {
		return err
	}
	for _, group := range groups {
		if err := c.DeleteReaderGroup(ctx, name, group); err != nil {
			return err
		}
	}
	streams, err := c.Streams(ctx, name, nil)
	if err != nil {
		return err
	}
	for _, stream := range streams {
		if err := c.DeleteStream(ctx, name, stream.Name); err != nil {
			return err
		}
	}
	return nil
}

// ReaderGroups names the reader groups of a scope, in order.
func (c *Client) ReaderGroups(ctx context.Context, scope string) ([]string, error) {
	var out struct {
		// The key is missing when there is no group.
		Groups []struct {
			Name string `json:"readerGroupName"`
		} `json:"readerGroups"`
	}
	if err := c.get(ctx, scopeName(scope), &out, nil, "scopes", scope, "readergroups"); err != nil {
		return nil, err
	}
	names := []string{}
	for _, group := range out.Groups {
		names = append(names, group.Name)
	}
	slices.Sort(names)
	return names, nil
}

// ReaderGroup is a group of readers and the streams ("scope/stream") it reads.
type ReaderGroup struct {
	Scope         string   `json:"scopeName"`
	Name          string   `json:"readerGroupName"`
	Streams       []string `json:"streamList"`
	OnlineReaders []string `json:"onlineReaderIds"`
}

// ReaderGroup reads one reader group.
func (c *Client) ReaderGroup(ctx context.Context, scope, name string) (ReaderGroup, error) {
	var out ReaderGroup
	if err := c.get(ctx, fmt.Sprintf("reader group %q", scope+"/"+name), &out, nil, "scopes", scope, "readergroups", name); err != nil {
		return ReaderGroup{}, err
	}
	if out.Scope != scope || out.Name != name {
		return ReaderGroup{}, notAPI("GET /v1/scopes/" + scope + "/readergroups/" + name)
	}
	return out, nil
}

// groupReaders is how many reader groups are read at a time: the controller
// opens a client of its own for each.
const groupReaders = 4

// ReaderGroupsOf reads the reader groups of a scope whose names match, in order.
// One that is deleted meanwhile is left out.
func (c *Client) ReaderGroupsOf(ctx context.Context, scope string, match func(name string) bool) ([]ReaderGroup, error) {
	names, err := c.ReaderGroups(ctx, scope)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !match(name) })
	groups, errs := make([]ReaderGroup, len(names)), make([]error, len(names))
	var running sync.WaitGroup
	slots := make(chan struct{}, groupReaders)
	for i, name := range names {
		running.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			groups[i], errs[i] = c.ReaderGroup(ctx, scope, name)
		})
	}
	running.Wait()
	found := []ReaderGroup{}
	for i, err := range errs {
		switch {
		case errors.Is(err, ErrNotFound):
		case err != nil:
			return nil, err
		default:
			slices.Sort(groups[i].Streams)
			slices.Sort(groups[i].OnlineReaders)
			found = append(found, groups[i])
		}
	}
	return found, nil
}

// DeleteReaderGroup deletes a reader group; one that is gone is no error.
func (c *Client) DeleteReaderGroup(ctx context.Context, scope, name string) error {
	for try := 0; ; try++ {
		err := c.write(ctx, fmt.Sprintf("reader group %q", scope+"/"+name), http.MethodDelete, nil, "scopes", scope, "readergroups", name)
		switch {
		case err == nil, errors.Is(err, ErrNotFound):
			return nil
		case !unknown(err):
			return err
		}
		if !c.pause(ctx, try) {
			return err
		}
	}
}

func notAPI(where string) error {
	return &rest.NotAPIError{Where: where, Status: http.StatusOK, ContentType: "an answer that is not Pravega's"}
}
