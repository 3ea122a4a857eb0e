// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrOther means that a stream of the name exists after a create whose answer
// was lost, but with another configuration: somebody else's.
var ErrOther = errors.New("exists with another configuration")

func streamName(scope, name string) string { return fmt.Sprintf("stream %q", scope+"/"+name) }

// Stream reads a stream. ErrNotFound also stands for a scope that is gone.
func (c *Client) Stream(ctx context.Context, scope, name string) (Stream, error) {
	var out wireStream
	if err := c.get(ctx, streamName(scope, name), &out, nil, "scopes", scope, "streams", name); err != nil {
		return Stream{}, err
	}
	if out.Scope != scope || out.Name != name {
		return Stream{}, notAPI("GET /v1/scopes/" + scope + "/streams/" + name)
	}
	return out.stream(), nil
}

// Streams lists the streams of a scope in order, all or those with a tag.
func (c *Client) Streams(ctx context.Context, scope string, tag *string) ([]Stream, error) {
	var query url.Values
	if tag != nil {
		query = url.Values{"filter_type": {"tag"}, "filter_value": {*tag}}
	}
	var out struct {
		Streams *[]wireStream `json:"streams"`
	}
	err := c.get(ctx, scopeName(scope), &out, query, "scopes", scope, "streams")
	if err == nil && out.Streams == nil {
		err = notAPI("GET /v1/scopes/" + scope + "/streams")
	}
	// The controller looks a tag up in an index of its own, which says nothing
	// of whether the scope exists.
	if tag != nil && (errors.Is(err, ErrBusy) || err == nil && len(*out.Streams) == 0) {
		if scopeErr := c.Scope(ctx, scope); scopeErr != nil {
			return nil, scopeErr
		}
	}
	if err != nil {
		return nil, err
	}
	streams := []Stream{}
	for _, w := range *out.Streams {
		streams = append(streams, w.stream())
	}
	slices.SortFunc(streams, func(a, b Stream) int { return strings.Compare(a.Name, b.Name) })
	return streams, nil
}

// CreateStream creates a stream and returns it as read back. ErrExists means
// that it was there before this call; after a lost answer, a stream that is
// there and equal is taken for the one that this call made.
func (c *Client) CreateStream(ctx context.Context, scope, name string, config StreamConfig) (Stream, error) {
	release, err := c.locks.Lock(ctx, scope+"/"+name)
	if err != nil {
		return Stream{}, err
	}
	defer release()
	body := config.wire()
	body.Name = name
	ambiguous := false
	for try := 0; ; try++ {
		err := c.write(ctx, streamName(scope, name), http.MethodPost, body, "scopes", scope, "streams")
		switch {
		case errors.Is(err, ErrNotFound):
			return Stream{}, as(err, ErrNotFound, fmt.Sprintf("its scope %q does not exist", scope))
		case err != nil && !unknown(err) && (!ambiguous || !errors.Is(err, ErrExists)):
			return Stream{}, err
		}
		ambiguous = ambiguous || err != nil
		stream, readErr := c.Stream(ctx, scope, name)
		switch {
		case readErr == nil && ambiguous && !stream.Equal(config):
			return Stream{}, &Error{Kind: ErrOther, What: streamName(scope, name), Where: "GET", Status: http.StatusOK}
		case readErr == nil:
			return stream, nil
		case err == nil, !errors.Is(readErr, ErrNotFound):
			return Stream{}, readErr
		}
		if !c.pause(ctx, try) {
			return Stream{}, err
		}
	}
}

// UpdateStream replaces the configuration of a stream unless it is the wanted
// one already, and returns the stream as read back. Before each try, allow is
// asked about the stream as it is now; its error stops the update. ErrBusy, after
// several tries, means that the stream is sealed, or that others keep changing it.
func (c *Client) UpdateStream(ctx context.Context, scope, name string, config StreamConfig, allow func(Stream) error) (Stream, error) {
	release, err := c.locks.Lock(ctx, scope+"/"+name)
	if err != nil {
		return Stream{}, err
	}
	defer release()
	var failed error
	for try := 0; ; try++ {
		stream, err := c.Stream(ctx, scope, name)
		if err != nil || stream.Equal(config) {
			return stream, err
		}
		if err := allow(stream); err != nil {
			return stream, err
		}
		if try > 0 && !c.pause(ctx, try-1) {
			return Stream{}, lastFailure(ctx, failed)
		}
		// What was asked for may have been carried out while this waited or
		// although the call failed, so each try begins with a read.
		failed = c.write(ctx, streamName(scope, name), http.MethodPut, config.wire(), "scopes", scope, "streams", name)
		if failed != nil && !unknown(failed) {
			return Stream{}, failed
		}
	}
}

// lastFailure says why an update did not come to stay.
func lastFailure(ctx context.Context, failed error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed == nil:
		return errors.New("the update was accepted, but the stream reads back otherwise: another client changes it at the same time")
	}
	return as(failed, ErrBusy, "it is sealed, or another operation on it goes on, or the segment store is down; the controller gives no reason, its log has one")
}

// SealStream seals a stream, which cannot be undone.
func (c *Client) SealStream(ctx context.Context, scope, name string) error {
	release, err := c.locks.Lock(ctx, scope+"/"+name)
	if err != nil {
		return err
	}
	defer release()
	for try := 0; ; try++ {
		err := c.seal(ctx, scope, name)
		if err == nil || !unknown(err) || !c.pause(ctx, try) {
			return err
		}
	}
}

func (c *Client) seal(ctx context.Context, scope, name string) error {
	body := map[string]string{"streamState": "SEALED"}
	return c.write(ctx, streamName(scope, name), http.MethodPut, body, "scopes", scope, "streams", name, "state")
}

// DeleteStream seals and deletes a stream; one that is gone is no error. When
// it fails, the stream may be sealed already.
func (c *Client) DeleteStream(ctx context.Context, scope, name string) error {
	release, err := c.locks.Lock(ctx, scope+"/"+name)
	if err != nil {
		return err
	}
	defer release()
	for try := 0; ; try++ {
		err := c.seal(ctx, scope, name)
		if err == nil {
			err = c.write(ctx, streamName(scope, name), http.MethodDelete, nil, "scopes", scope, "streams", name)
		}
		notSealed := errors.Is(err, ErrNotEmpty)
		switch {
		case err == nil, errors.Is(err, ErrNotFound):
			return nil
		case notSealed:
			err = as(err, ErrNotSealed, "sealing it had no effect")
		case !unknown(err):
			return err
		}
		if !c.pause(ctx, try) {
			return err
		}
	}
}

// scalingEvent is the start of an epoch: the set of segments that are open
// until the next one.
type scalingEvent struct {
	Timestamp int64 `json:"timestamp"`
	Segments  []struct {
		Number int64 `json:"number"`
	} `json:"segments"`
}

// SegmentCount counts the segments of a stream that are open now.
func (c *Client) SegmentCount(ctx context.Context, scope, name string) (int64, error) {
	// A range that begins now holds the newest epoch and no older one. It ends
	// late, since the controller's clock may be ahead.
	now := time.Now()
	query := url.Values{
		"from": {strconv.FormatInt(now.UnixMilli(), 10)},
		"to":   {strconv.FormatInt(now.AddDate(1, 0, 0).UnixMilli(), 10)},
	}
	var out []scalingEvent
	if err := c.get(ctx, streamName(scope, name), &out, query, "scopes", scope, "streams", name, "scaling-events"); err != nil {
		return 0, err
	}
	if len(out) == 0 {
		return 0, notAPI("GET /v1/scopes/" + scope + "/streams/" + name + "/scaling-events")
	}
	newest := slices.MaxFunc(out, func(a, b scalingEvent) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	return int64(len(newest.Segments)), nil
}
