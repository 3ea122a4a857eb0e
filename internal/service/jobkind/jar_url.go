// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/download"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// JarURLDescription describes the attribute url of a jar.
const JarURLDescription = "`http` or `https` URL of a jar file. It is fetched by the machine that runs Terraform, during the apply and only if the cluster lacks the content; needs `sha256`, " +
	"and nothing is uploaded if the content is another one. Redirects are followed, the proxy of the environment is used, and no credentials are ever sent: no user name or password in it. " +
	"It is kept in state and shown in plans, but a query only there. Excludes `source`."

// JarURLValidators are those of a url beside a source and a sha256.
func JarURLValidators() []validator.String {
	return []validator.String{
		urlValidator{},
		validators.Excludes("source"),
	}
}

// urlValidator checks the URL of a jar, and that its hash is given.
type urlValidator struct{}

// Description says what is checked.
func (urlValidator) Description(context.Context) string {
	return "an http or https URL without a password, beside the sha256 of its content"
}

// MarkdownDescription says what is checked.
func (v urlValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known URL, and that a hash is configured.
func (urlValidator) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := download.Check(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, "Not a URL to fetch a jar from", diags.Sentence(err.Error())))
	}
	var sha types.String
	at := req.Path.ParentPath().AtName("sha256")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &sha)...)
	if sha.IsNull() && !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(diags.AtAttribute(at, "A url needs the sha256 of its content",
			"Without it nobody could tell whether the URL still leads to what was planned, and a plan would not show a change of it. Set sha256 to the hash of the jar (sha256sum app.jar)."))
	}
}
