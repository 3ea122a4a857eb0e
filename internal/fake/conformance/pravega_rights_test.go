// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	engines "github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/pravegaengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

// rightsRecording is what the real engine answered each user, a line for each
// request.
var rightsRecording = filepath.Join("testdata", "pravega-0.13-rights.txt")

// TestConformance_PravegaFakeRights asks the fake as each user for all that is
// there and for what is not.
func TestConformance_PravegaFakeRights(t *testing.T) {
	t.Parallel()
	var options []pravegafake.Option
	users := pravegaengine.Accounts()
	for _, user := range users {
		options = append(options, pravegafake.User(user.Name, user.Password, user.Rights))
	}
	fake := pravegafake.New(options...)
	t.Cleanup(fake.Close)
	r := rights{endpoint: fake.URL(), client: http.DefaultClient, users: users}
	r.build(t)
	r.compare(t)
}

// TestAcc_Conformance_PravegaRights asks a real engine that knows the users.
func TestAcc_Conformance_PravegaRights(t *testing.T) {
	t.Parallel()
	realengine.Only(t)
	engine, err := engines.Up(t.Context(), engines.Config{
		Dir: filepath.Join(t.TempDir(), "engine"), Only: engines.EnginePravega, PravegaSecure: true, AutoPorts: true,
	}, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engines.Down(context.Background(), engine.Dir, t.Output()); err != nil {
			t.Error(err)
		}
	})
	access := engine.Pravega.Access
	client, err := access.HTTPClient()
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	r := rights{endpoint: access.Endpoint, client: client, users: access.Users}
	r.build(t)
	if *update {
		if err := os.WriteFile(rightsRecording, []byte(r.answers(t)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.compare(t)
}

// rights asks as several users.
type rights struct {
	endpoint string
	client   *http.Client
	users    []pravegaengine.User
}

// asked is one request, below /v1/scopes.
type asked struct{ method, path, body string }

const (
	ownScope   = pravegaengine.ScopeOfUser
	otherScope = "other"
	oneSegment = `"scalingPolicy":{"type":"FIXED_NUM_SEGMENTS","minSegments":1}}`
)

// build makes the user's scope and another, each with a stream.
func (r rights) build(t *testing.T) {
	t.Helper()
	for _, scope := range []string{ownScope, otherScope} {
		r.ask(t, r.users[0], asked{http.MethodPost, "", `{"scopeName":"` + scope + `"}`})
		r.ask(t, r.users[0], asked{http.MethodPost, "/" + scope + "/streams", `{"streamName":"a",` + oneSegment})
	}
}

// requests change nothing, whoever is allowed them.
func requests() []asked {
	all := []asked{{http.MethodGet, "", ""}, {http.MethodGet, "/absent", ""}, {http.MethodDelete, "/absent", ""}, {http.MethodPost, "", `{"scopeName":"other"}`}}
	for _, scope := range []string{"/" + ownScope, "/" + otherScope} {
		for _, path := range []string{
			"", "/streams", "/streams?filter_type=showInternalStreams", "/streams/a", "/streams/absent",
			"/streams/a/scaling-events?from=0&to=1", "/readergroups", "/readergroups/absent",
		} {
			all = append(all, asked{http.MethodGet, scope + path, ""})
		}
		all = append(all,
			asked{http.MethodPost, scope + "/streams", `{"streamName":"a",` + oneSegment},
			asked{http.MethodPut, scope + "/streams/a", "{" + oneSegment},
			asked{http.MethodPut, scope + "/streams/a/state", `{"streamState":"OPEN"}`},
			asked{http.MethodDelete, scope + "/streams/absent", ""},
			asked{http.MethodDelete, scope + "/readergroups/absent", ""},
		)
	}
	return all
}

// shownName is a name in an answer.
var shownName = regexp.MustCompile(`"(?:scopeName|streamName)":"([^"]*)"`)

// answers is a line for each user and request.
func (r rights) answers(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, user := range r.users {
		for _, a := range requests() {
			status, body := r.ask(t, user, a)
			fmt.Fprintf(&b, "%s: %s /v1/scopes%s: %d", user.Name, a.method, a.path, status)
			b.WriteString(shown(body) + "\n")
		}
	}
	return b.String()
}

// shown is the names of an answer in order, and the whole of one that has none.
func shown(body string) string {
	var names []string
	for _, match := range shownName.FindAllStringSubmatch(body, -1) {
		names = append(names, match[1])
	}
	if names == nil && body != "" {
		return " " + body
	}
	slices.Sort(names)
	return strings.TrimRight(" "+strings.Join(names, " "), " ")
}

func (r rights) compare(t *testing.T) {
	t.Helper()
	want, err := os.ReadFile(rightsRecording)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(r.answers(t), "\n")); diff != "" {
		t.Errorf("not what the real engine answered (-recorded +now):\n%s", diff)
	}
}

func (r rights) ask(t *testing.T, user pravegaengine.User, a asked) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), a.method, r.endpoint+"/v1/scopes"+a.path, strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth(user.Name, user.Password)
	if a.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := r.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(content)
}
