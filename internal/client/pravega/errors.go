// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// What an answer of the controller means; test with errors.Is.
var (
	// ErrNotFound: the scope, the stream or the group does not exist.
	ErrNotFound = errors.New("does not exist")
	// ErrExists: a scope or stream of this name exists already.
	ErrExists = errors.New("exists already")
	// ErrNotEmpty: the scope still holds something, which may be a reader group
	// or a key-value table that the list of streams does not show.
	ErrNotEmpty = errors.New("is not empty")
	// ErrNotSealed: only a sealed stream can be deleted.
	ErrNotSealed = errors.New("is not sealed")
	// ErrName: the controller refuses the name.
	ErrName = errors.New("has a name that Pravega refuses")
	// ErrRejected: the controller threw an exception over the input. Trying
	// again gives the same.
	ErrRejected = errors.New("was rejected by the controller")
	// ErrBusy: the operation failed without a reason. Another operation on the
	// stream was in progress, or the stream is sealed, or the segment store is
	// down. It may have been carried out all the same.
	ErrBusy = errors.New("could not be handled by the controller")
)

// Error is an answer of the controller with its meaning.
type Error struct {
	// Kind is one of the errors above.
	Kind error
	// What names the scope, the stream or the group.
	What string
	// Detail is a sentence about this case, empty when Kind says it all.
	Detail string
	// Where is the method and path, Status the answer's.
	Where  string
	Status int
}

// Error says what the answer means, then the answer.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s", e.What, e.Kind)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return fmt.Sprintf("%s (%s: %d)", text, e.Where, e.Status)
}

// Is matches the kind. The transport's error is not wrapped: its status means
// something else with other engines.
func (e *Error) Is(target error) bool { return target == e.Kind }

// meaning turns an answer into an Error. What Pravega itself answers has no
// body, except after an exception; a 404 with a body comes from a proxy or from
// another server, and does not say that anything is gone.
func meaning(what string, err error) error {
	var answer *rest.Error
	if !errors.As(err, &answer) {
		return err
	}
	typed := &Error{What: what, Where: answer.Where, Status: answer.Status}
	switch {
	case answer.Status == http.StatusInternalServerError && answer.HTML:
		typed.Kind = ErrRejected
		typed.Detail = "it answers so when a value is missing or outside of what it takes, and gives no reason; its log has one"
	case answer.Status == http.StatusNotFound && !answer.Empty:
		return &rest.NotAPIError{Where: answer.Where, Status: answer.Status, ContentType: "a body that Pravega does not send"}
	case answer.Status == http.StatusBadRequest && !answer.Empty && !answer.HTML && !answer.Engine:
		typed.Kind, typed.Detail = ErrRejected, answer.Text
	case !answer.Empty:
		return err
	case answer.Status == http.StatusInternalServerError:
		typed.Kind = ErrBusy
	case answer.Status == http.StatusBadRequest:
		typed.Kind = ErrName
	case answer.Status == http.StatusNotFound:
		typed.Kind = ErrNotFound
	case answer.Status == http.StatusConflict:
		typed.Kind = ErrExists
	case answer.Status == http.StatusPreconditionFailed:
		typed.Kind = ErrNotEmpty
	default:
		return err
	}
	return typed
}

// unknown tells whether the controller may have acted although the call
// failed, so that reading back is what comes next.
func unknown(err error) bool { return errors.Is(err, ErrBusy) || rest.OutcomeUnknown(err) }

// as returns the error with another kind and detail, if it is an Error.
func as(err, kind error, detail string) error {
	var typed *Error
	if !errors.As(err, &typed) {
		return err
	}
	changed := *typed
	changed.Kind, changed.Detail = kind, detail
	return &changed
}
