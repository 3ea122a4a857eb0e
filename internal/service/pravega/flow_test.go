// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

const (
	scopeAddress  = "streaming_pravega_scope.test"
	streamAddress = "streaming_pravega_stream.test"
)

// newFake starts a controller for one test.
func newFake(t *testing.T, options ...pravegafake.Option) *pravegafake.Server {
	t.Helper()
	fake := pravegafake.New(options...)
	t.Cleanup(fake.Close)
	return fake
}

// scopeConfig is a provider block and a scope with these further attributes.
func scopeConfig(endpoint, name string, attributes ...string) string {
	return scopeIn(acctest.Config{Pravega: endpoint}, name, attributes...)
}

func scopeIn(provider acctest.Config, name string, attributes ...string) string {
	return provider.String() + fmt.Sprintf(`
resource "streaming_pravega_scope" "test" {
  name = %q
  %s
}
`, name, strings.Join(attributes, "\n  "))
}

// streamConfig is a provider block, and a stream orders/clicks in a scope that
// exists already, with these further attributes.
func streamConfig(endpoint string, attributes ...string) string {
	return namedStream(endpoint, "clicks", attributes...)
}

func namedStream(endpoint, name string, attributes ...string) string {
	return streamIn(endpoint, "orders", name, attributes...)
}

func streamIn(endpoint, scope, name string, attributes ...string) string {
	return acctest.Config{Pravega: endpoint}.String() + fmt.Sprintf(`
resource "streaming_pravega_stream" "test" {
  scope = %q
  name  = %q
  %s
}
`, scope, name, strings.Join(attributes, "\n  "))
}

const (
	fixed2  = `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 2 }`
	events2 = `scaling = { type = "BY_RATE_IN_EVENTS_PER_SEC", target_rate = 1000, scale_factor = 2, min_segments = 2 }`
)

// writes counts the requests that change something.
func writes(fake *pravegafake.Server, method string) int {
	count := 0
	for _, request := range fake.Requests() {
		if request.Method == method {
			count++
		}
	}
	return count
}

// cut is a fault on requests of a method to paths that match.
func cut(kind fault.Kind, method, path string) fault.Fault {
	return fault.Fault{Kind: kind, Method: method, Path: pathOf(path)}
}

func pathOf(expression string) *regexp.Regexp { return regexp.MustCompile(expression) }
