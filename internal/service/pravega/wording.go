// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
)

func scopeTitle(name string) string { return fmt.Sprintf("Pravega scope %q", name) }

func streamTitle(scope, name string) string { return fmt.Sprintf("Pravega stream %q", scope+"/"+name) }

// failure words an error of the client: what could not be done, why, what to do.
func failure(summary string, err error) diag.Diagnostic {
	detail := diags.Detail(err)
	if advice := advice(err); advice != "" {
		detail += "\n\n" + advice
	}
	return diag.NewErrorDiagnostic(summary, detail)
}

// What the controller's users have rights on, in Pravega's own names.
const allScopes = "prn::/"

func scopeRight(scope string) string { return "prn::/scope:" + scope }

func streamRight(scope, name string) string { return scopeRight(scope) + "/stream:" + name }

func groupsRight(scope string) string { return scopeRight(scope) + "/reader-group:*" }

// unreadable words the error of a data source. right is what reading needs READ on.
func unreadable(summary string, err error, right string) diag.Diagnostic {
	detail := diags.Detail(err)
	switch {
	case errors.Is(err, api.ErrNotFound):
		detail += "\n\nCapital letters count. If this configuration creates it, take its name from the resource, so that it is looked up afterwards; otherwise check the endpoint and the name."
	case rest.StatusOf(err) == http.StatusForbidden:
		detail += fmt.Sprintf("\n\nReading this needs the right READ on %s. ", right) + hidesAbsence
	default:
		return failure(summary, err)
	}
	return diag.NewErrorDiagnostic(summary, detail)
}

// hidesAbsence is what 403 may mean besides.
const hidesAbsence = "The controller answers the same to a user without rights when the thing does not exist, so check the name too."

func advice(err error) string {
	switch {
	case rest.StatusOf(err) == http.StatusForbidden:
		return "Streams need the right READ_UPDATE on prn::/scope:SCOPE and prn::/scope:SCOPE/*, to create and delete a scope takes it on prn::/. " + hidesAbsence + " Nothing is taken for gone."
	case errors.Is(err, api.ErrRejected):
		return "Applying again gives the same answer. The controller's log has the reason; please report it as a bug of the provider if the plan should have seen it."
	case errors.Is(err, api.ErrNotFound):
		return "Somebody deleted it, or the endpoint leads to another cluster. Plan again."
	case errors.Is(err, api.ErrOther):
		return "The answer to the creation was lost, and what is there now is not what was asked for: somebody else made it. Import it, or choose another name."
	}
	return ""
}

// exists words the error of a create that found the name taken.
func exists(title, kind, id string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(title+" exists already",
		fmt.Sprintf("It was not created by this resource, and nothing of it was changed. To manage it, import it:\n\n"+
			"  terraform import %s.NAME %s\n\n"+
			"or set adopt_existing = true to take it over as it is; the next plan then shows where it differs.", kind, id))
}

// protected words the error of a destroy or a replacement that is not allowed.
func protected(title, operation string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("deletion_protection"), fmt.Sprintf("%s is protected from deletion", title),
		fmt.Sprintf("This plan would %s it, and its state has deletion_protection = true. "+
			"To go on, set deletion_protection = false, apply that alone, then plan again. "+
			"If the plan is not what you meant, undo the change that leads to it.", operation))
}

// enumerate is at most ten names in words.
func enumerate(names []string) string {
	const most = 10
	quoted := make([]string, 0, len(names))
	for _, name := range names {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	if len(quoted) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(quoted[:most], ", "), len(quoted)-most)
	}
	return strings.Join(quoted, ", ")
}
