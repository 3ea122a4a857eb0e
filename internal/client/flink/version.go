// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// release is what is known of the cluster's version.
type release struct {
	version atomic.Pointer[string]
	// status is whether the cluster has a route for the state of one job, once
	// that was seen. Flink 1.14 has none.
	status atomic.Pointer[bool]
}

func (r *release) learn(version string) {
	if version != "" {
		r.version.Store(&version)
	}
}

func (r *release) learnStatus(there bool) { r.status.Store(&there) }

// lacksStatus tells whether the route is known to be missing.
func (r *release) lacksStatus() bool {
	there := r.status.Load()
	return there != nil && !*there
}

// Strict tells whether the cluster refuses fields of a request that it does not
// know, as Flink 1.14 and earlier do. These take no configuration with a job, no
// claim mode, and no id or format with a savepoint. The cluster is asked for its
// version once, unless something else has told it before.
func (c *Client) Strict(ctx context.Context) (bool, error) {
	if there := c.release.status.Load(); there != nil && *there {
		return false, nil
	}
	if known := c.release.version.Load(); known != nil {
		return IsStrict(*known), nil
	}
	version, err := c.Version(ctx)
	if err == nil && version == "" {
		err = &rest.NotAPIError{Where: "GET /config", Status: http.StatusOK, ContentType: "JSON without flink-version"}
	}
	return IsStrict(version), err
}

// IsStrict tells whether a version is 1.14 or earlier; see Strict.
func IsStrict(version string) bool {
	match := ofFlink1.FindStringSubmatch(version)
	if match == nil {
		return false
	}
	minor, err := strconv.Atoi(match[1])
	return err == nil && minor <= 14
}

// ofFlink1 takes the minor version, whatever a vendor wrote after it.
var ofFlink1 = regexp.MustCompile(`^1\.(\d+)(?:\D|$)`)

// hasNoRoute tells whether Flink answers that it has no such route at all.
func hasNoRoute(err error) bool {
	var answer *rest.Error
	return errors.As(err, &answer) && IsNotFound(err) && strings.Contains(answer.Text, "Unable to load requested file")
}
