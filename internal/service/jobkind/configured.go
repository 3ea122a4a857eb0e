// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"maps"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

// Configured is a model whose program sets options of Flink's by other means
// than configuration.
type Configured interface {
	// Configured are those of them that tell where the job's checkpoints are. They
	// are sent as options too, and looked at when the job has to be found again.
	Configured(ctx context.Context) map[string]string
}

// configured lets the shared part of a model know them.
func configured[M any, P Own[M]](ctx context.Context, models ...P) {
	for _, model := range models {
		if c, ok := any(model).(Configured); ok {
			model.Shared().beside = c.Configured(ctx)
		}
	}
}

// known is what is known of the configuration, with what the program sets.
func (m *Model) known() map[string]string {
	all := maps.Clone(m.beside)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, values.Known(m.Configuration))
	return all
}
