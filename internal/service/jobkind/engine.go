// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/base"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// Engine returns the lifecycle over the configured cluster. Its warnings go to
// the diagnostics.
func Engine(data *base.ProviderData, sink *diag.Diagnostics) (*lifecycle.Engine, diag.Diagnostics) {
	if data == nil {
		return nil, diag.Diagnostics{diag.NewErrorDiagnostic("The provider is not configured", "This is a bug of the provider; please report it.")}
	}
	client, diagnostics := data.Flink()
	if diagnostics.HasError() {
		return nil, diagnostics
	}
	if data.OwnerUnknown {
		diagnostics.AddError("The owner in the provider configuration is not known yet",
			"It is part of the identity of each job, so that a job cannot be looked at without it. Give owner a value that does not depend on another resource.")
		return nil, diagnostics
	}
	return &lifecycle.Engine{
		Client: client, Owner: data.Owner, Timing: data.Timing,
		Probe: data.Probe(),
		Warn:  func(summary, detail string) { sink.AddWarning(summary, detail) },
	}, diagnostics
}

// problemPaths are the attributes that a problem is about, in each kind of job.
var problemPaths = map[lifecycle.Problem]path.Path{
	lifecycle.ProblemBundle:             path.Root("bundle"),
	lifecycle.ProblemSlots:              path.Root("parallelism"),
	lifecycle.ProblemParallelism:        path.Root("parallelism"),
	lifecycle.ProblemConfiguration:      path.Root("configuration"),
	lifecycle.ProblemRestore:            path.Root("restore_from"),
	lifecycle.ProblemState:              path.Root("upgrade"),
	lifecycle.ProblemSavepointDirectory: path.Root("upgrade").AtName("savepoint_directory"),
	lifecycle.ProblemOwner:              path.Root("adopt_existing"),
	lifecycle.ProblemFormat:             path.Root("upgrade").AtName("savepoint_format"),
	lifecycle.ProblemRestarting:         path.Root("upgrade").AtName("mode"),
}

// Failure words an error: what in one line, then why and what to do.
func (k Kind) Failure(verb, name string, err error) diag.Diagnostic {
	summary := fmt.Sprintf("Cannot %s Flink job %q", verb, name)
	var problem *lifecycle.Error
	if !errors.As(err, &problem) {
		return diags.Error(summary, err)
	}
	var detail strings.Builder
	detail.WriteString(diags.Sentence(err.Error()))
	advice := problem.Advice
	if hint := k.hint(err); hint != "" {
		advice = hint
	}
	if advice != "" {
		detail.WriteString("\n\n" + advice)
	}
	at := problem
	if problem.Problem == lifecycle.ProblemRolledBack {
		// The cause of a rollback is about an attribute.
		errors.As(problem.Err, &at)
	}
	attribute, ok := k.Paths[at.Problem]
	if !ok {
		attribute, ok = problemPaths[at.Problem]
	}
	if ok {
		return diags.AtAttribute(attribute, summary, detail.String())
	}
	return diag.NewErrorDiagnostic(summary, detail.String())
}

// hint is what the kind knows of a failure.
func (k Kind) hint(err error) string {
	if k.Hint == nil {
		return ""
	}
	trace := err.Error()
	if answer, ok := errors.AsType[*rest.Error](err); ok {
		trace += "\n" + answer.Text
	}
	return k.Hint(trace)
}

var timeoutsTypes = map[string]attr.Type{
	"create": customtypes.DurationType{}, "update": customtypes.DurationType{}, "delete": customtypes.DurationType{},
}

// sameTimeouts tells whether two timeouts objects mean the same.
func sameTimeouts(ctx context.Context, a, b types.Object) bool {
	if a.IsUnknown() || b.IsUnknown() {
		return false
	}
	if a.IsNull() || b.IsNull() {
		return a.IsNull() == b.IsNull()
	}
	before, _ := values.As[timeoutsModel](ctx, a)
	after, _ := values.As[timeoutsModel](ctx, b)
	return before.Create.Same(after.Create) && before.Update.Same(after.Update) && before.Delete.Same(after.Delete)
}
