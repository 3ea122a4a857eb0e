// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

const privateKey = "job"

// privateJob is what is kept beside the state, and no one configures.
type privateJob struct {
	// Imported is true until the configuration was taken over.
	Imported bool `json:"imported,omitempty"`
	// Kind is the type that the job had before a moved block, until then too.
	Kind string `json:"kind,omitempty"`
	// Moved is true when another cluster than the state's does not know the job.
	Moved      bool     `json:"moved,omitempty"`
	Bounded    bool     `json:"bounded,omitempty"`
	Savepoints []string `json:"savepoints,omitempty"`
	// Asked is what the job on an adaptive scheduler asked for when last seen.
	Asked map[string]int64 `json:"asked,omitempty"`
	// CheckpointAt is when last_checkpoint_path was completed.
	CheckpointAt time.Time `json:"checkpoint_at,omitzero"`
	// Origin is where a job that a refresh found dead would go on from, and
	// Failure why it failed. They are kept, and not looked up at plan, so that
	// Terraform's second plan within an apply is the same as the first.
	Origin  lifecycle.Origin `json:"origin,omitzero"`
	Failure string           `json:"failure,omitempty"`
}

type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

func readPrivate(ctx context.Context, reader privateReader) (privateJob, diag.Diagnostics) {
	var private privateJob
	content, diagnostics := reader.GetKey(ctx, privateKey)
	if len(content) > 0 {
		if err := json.Unmarshal(content, &private); err != nil {
			diagnostics.AddError("The provider's private data of this resource cannot be read", err.Error())
		}
	}
	return private, diagnostics
}

func writePrivate(ctx context.Context, writer privateWriter, private privateJob) diag.Diagnostics {
	content, err := json.Marshal(private)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("The provider's private data of this resource cannot be written", err.Error())}
	}
	return writer.SetKey(ctx, privateKey, content)
}

// withRecord keeps what a record holds beyond the state's attributes.
func (p privateJob) withRecord(rec lifecycle.Record) privateJob {
	p.Bounded, p.Savepoints, p.CheckpointAt = rec.Bounded, rec.Savepoints, rec.LastCheckpointAt
	p.Origin, p.Failure, p.Asked = rec.Origin, rec.Failure, rec.Asked
	return p
}
