// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package acctest has what the tests share that run Terraform: the provider in
// process, and its configuration for a fake or a real engine.
package acctest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/provider"
)

func init() {
	// A CLI configuration that does not exist makes each terraform call warn.
	if file := os.Getenv("TF_CLI_CONFIG_FILE"); file != "" {
		if _, err := os.Stat(file); err != nil {
			_ = os.Unsetenv("TF_CLI_CONFIG_FILE")
		}
	}
	if os.Getenv("TF_ACC") == "" {
		for _, variable := range ofProvider(os.Environ()) {
			_ = os.Unsetenv(variable)
		}
	}
}

// ofProvider are the variables that the provider takes for what a configuration
// leaves out. A test with a fake must not meet those of the engines that its
// developer has started.
func ofProvider(environment []string) []string {
	var found []string
	for _, entry := range environment {
		name, _, _ := strings.Cut(entry, "=")
		if name == "STREAMING_OWNER" || name == "TFC_WORKSPACE_SLUG" ||
			slices.ContainsFunc([]string{"STREAMING_FLINK_", "STREAMING_SQL_GATEWAY_", "STREAMING_PRAVEGA_"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			found = append(found, name)
		}
	}
	return found
}

// Factories serves the provider in the test's own process.
func Factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"streaming": providerserver.NewProtocol6WithError(provider.New("test")()),
	}
}

// FakeFactories serves the provider with waits that fit a fake in the same
// process.
func FakeFactories() map[string]func() (tfprotov6.ProviderServer, error) {
	return timed(lifecycle.Timing{
		Poll: 5 * time.Millisecond, Stable: 20 * time.Millisecond,
		RestartGrace: 200 * time.Millisecond, Appear: 500 * time.Millisecond,
	})
}

func timed(timing lifecycle.Timing) map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"streaming": providerserver.NewProtocol6WithError(provider.NewWithTiming("test", timing)()),
	}
}

// Config is the provider block of a test's configuration.
type Config struct {
	Owner   string
	Flink   string
	Pravega string
	// Gateway is the SQL gateway of Flink, empty for none.
	Gateway string
	// PravegaCA is the file of an authority to trust, empty for none.
	PravegaCA string
	// PravegaUser and PravegaPassword are sent if there is a user.
	PravegaUser, PravegaPassword string
}

// String is the block as HCL.
func (c Config) String() string {
	var b strings.Builder
	b.WriteString("provider \"streaming\" {\n")
	if c.Owner != "" {
		fmt.Fprintf(&b, "  owner = %q\n", c.Owner)
	}
	if c.Flink != "" {
		gateway := ""
		if c.Gateway != "" {
			gateway = fmt.Sprintf(", sql_gateway_endpoint = %q", c.Gateway)
		}
		fmt.Fprintf(&b, "  flink = { endpoint = %q%s }\n", c.Flink, gateway)
	}
	if c.Pravega != "" {
		trust := ""
		if c.PravegaCA != "" {
			trust = fmt.Sprintf(", tls = { ca_file = %q }", c.PravegaCA)
		}
		if c.PravegaUser != "" {
			trust += fmt.Sprintf(", basic_auth = { username = %q, password = %q }", c.PravegaUser, c.PravegaPassword)
		}
		fmt.Fprintf(&b, "  pravega = { endpoint = %q%s }\n", c.Pravega, trust)
	}
	b.WriteString("}\n\n")
	return b.String()
}
