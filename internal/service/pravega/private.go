// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
)

// Keys of the private state.
const (
	// keyEndpoint holds where the object was seen last.
	keyEndpoint = "endpoint"
	// keyForeign is true while the object may have a maximum retention that was
	// set by whoever created it: until the provider's first update of it.
	keyForeign = "foreign"
	// keyRetention holds a retention that REST cannot express.
	keyRetention = "retention"
)

// privateReader and privateWriter are the framework's private state.
type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// load reads a key; the zero value stands for one that is missing.
func load[T any](ctx context.Context, private privateReader, key string, diagnostics *diag.Diagnostics) T {
	var value T
	content, more := private.GetKey(ctx, key)
	diagnostics.Append(more...)
	if len(content) > 0 {
		// What cannot be read was written by another version: as good as missing.
		_ = json.Unmarshal(content, &value)
	}
	return value
}

func store(ctx context.Context, private privateWriter, key string, value any, diagnostics *diag.Diagnostics) {
	content, err := json.Marshal(value)
	if err != nil {
		diagnostics.AddError("Cannot keep the private state of a resource", fmt.Sprintf("Key %s: %s.", key, err))
		return
	}
	diagnostics.Append(private.SetKey(ctx, key, content)...)
}

// hiddenRetention is what is known of a retention that REST cannot express.
type hiddenRetention struct {
	Kind   api.RetentionKind `json:"kind,omitempty"`
	Amount int64             `json:"amount,omitempty"`
}

func hide(r *api.Retention) hiddenRetention {
	if r == nil || !r.Inexact {
		return hiddenRetention{}
	}
	return hiddenRetention{Kind: r.Kind, Amount: r.Amount}
}

func (h hiddenRetention) retention() *api.Retention {
	if h.Kind == "" {
		return nil
	}
	return &api.Retention{Kind: h.Kind, Amount: h.Amount, Inexact: true}
}

// gone words the warning of an object that is not under this endpoint, but was
// seen under another one. It is empty when the endpoint is the same.
func gone(what, seen, endpoint string) diag.Diagnostics {
	if seen == "" || seen == endpoint {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(
		fmt.Sprintf("%s does not exist under this endpoint", what),
		fmt.Sprintf("The state was written with the Pravega endpoint %s, the provider configuration now has %s, and the answer there is 404. "+
			"If this is another cluster, applying creates an empty one there, and the old one with its data is no longer managed. "+
			"If the endpoint is wrong, correct it before you apply.", seen, endpoint))}
}

// moved words the warning of an object that was found under another endpoint.
func moved(what, seen, endpoint string) diag.Diagnostics {
	if seen == "" || seen == endpoint {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(
		fmt.Sprintf("%s is taken to be the same under another endpoint", what),
		fmt.Sprintf("The state was written with the Pravega endpoint %s, the provider configuration now has %s, and one of this name exists there. "+
			"From now on that one is managed. If this is another cluster, correct the endpoint before you apply or destroy.", seen, endpoint))}
}

// unseen words the refusal to delete by name what was never seen under this
// endpoint. It is empty when the endpoint is the same.
func unseen(what, seen, endpoint string) diag.Diagnostics {
	if seen == "" || seen == endpoint {
		return nil
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(
		fmt.Sprintf("%s was seen under another endpoint", what),
		fmt.Sprintf("The state was written with the Pravega endpoint %s, the provider configuration now has %s, and it has not been looked for there. "+
			"One of the same name there may be somebody else's, so it is not deleted. Run without -refresh=false first.", seen, endpoint))}
}
