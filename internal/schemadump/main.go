// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Command schemadump prints the provider's schema as JSON, in the shape of
// "terraform providers schema -json", and needs no Terraform. It holds every
// kind, also those that an older Terraform leaves out.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/provider"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/schemadump/schemajson"
)

func main() {
	log.SetFlags(0)
	key := flag.String("key", "streaming", "key of the provider in the output; tfplugindocs looks for the bare name")
	out := flag.String("out", "", "file to write; standard output when empty")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *key, *out)
	stop()
	if err != nil {
		log.Fatalf("schemadump: %v", err)
	}
}

func run(ctx context.Context, key, out string) error {
	server, err := providerserver.NewProtocol6WithError(provider.New("dev")())()
	if err != nil {
		return fmt.Errorf("serve the provider: %w", err)
	}
	schema, err := schemajson.Read(ctx, server)
	if err != nil {
		return err
	}
	content, err := json.MarshalIndent(schemajson.Document(key, schema), "", "  ")
	if err != nil {
		return fmt.Errorf("encode the schema: %w", err)
	}
	content = append(content, '\n')
	if out == "" {
		_, err = os.Stdout.Write(content)
		return err
	}
	return os.WriteFile(out, content, 0o600)
}
