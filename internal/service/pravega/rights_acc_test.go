// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/pravegaengine"
)

// TestAcc_Stream_whatMayNotBeSeenIsNotGone asks with a wrong password, and as
// users who may not read or not write, on a Pravega that knows them.
func TestAcc_Stream_whatMayNotBeSeenIsNotGone(t *testing.T) {
	t.Parallel()
	realengine.Only(t)
	engine, err := local.Up(t.Context(), local.Config{
		Dir: filepath.Join(t.TempDir(), "engine"), Only: local.EnginePravega, PravegaSecure: true, AutoPorts: true,
	}, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := local.Down(context.Background(), engine.Dir, t.Output()); err != nil {
			t.Error(err)
		}
	})
	access := engine.Pravega.Access
	as := func(user, password string) real {
		return real{
			provider: acctest.Config{Pravega: access.Endpoint, PravegaCA: access.CAFile, PravegaUser: user, PravegaPassword: password},
			name:     pravegaengine.ScopeOfUser,
		}
	}
	known := func(name string) real { return as(name, access.User(name).Password) }
	admin, reader, scoped, nobody := known(pravegaengine.UserAdmin), known(pravegaengine.UserReader), known(pravegaengine.UserOfScope), known(pravegaengine.UserWithout)
	tagged := `tags = ["a"]`
	acctest.RunReal(t,
		acctest.Apply(admin.stream(fixed2)),
		acctest.Fails(as(pravegaengine.UserAdmin, "wrong").stream(fixed2), "Cannot read Pravega s", "401", "basic_auth"),
		acctest.Fails(nobody.stream(fixed2), "Cannot read Pravega s", "403"),
		acctest.Noop(reader.stream(fixed2)),
		acctest.Fails(reader.stream(fixed2, tagged), "Cannot update Pravega stream", "403", "READ_UPDATE"),
		// Nothing was taken for gone, and nothing was changed.
		acctest.Noop(admin.stream(fixed2)),
		acctest.Apply(scoped.stream(fixed2, tagged)),
		acctest.Noop(admin.stream(fixed2, tagged)),
	)
}
