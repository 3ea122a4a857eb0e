// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package namefilter_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/namefilter"
)

func TestFilter_LetsThrough(t *testing.T) {
	t.Parallel()
	null := types.StringNull()
	for name, c := range map[string]struct {
		exact, match types.String
		want         string
	}{
		"everything":         {null, null, "orders,orders-eu,clicks"},
		"one name":           {types.StringValue("orders"), null, "orders"},
		"no part of a name":  {types.StringValue("order"), null, ""},
		"a beginning":        {null, types.StringValue("^orders"), "orders,orders-eu"},
		"a part":             {null, types.StringValue("[ck]"), "clicks"},
		"an empty name":      {types.StringValue(""), null, ""},
		"an empty match":     {null, types.StringValue(""), "orders,orders-eu,clicks"},
		"one that is folded": {null, types.StringValue("(?i)^ORDERS$"), "orders"},
	} {
		var diagnostics diag.Diagnostics
		filter := namefilter.New(c.exact, c.match, &diagnostics)
		var got []string
		for _, one := range []string{"orders", "orders-eu", "clicks"} {
			if filter.Matches(one) {
				got = append(got, one)
			}
		}
		if text := strings.Join(got, ","); text != c.want || diagnostics.HasError() {
			t.Errorf("%s: %q, want %q (%v)", name, text, c.want, diagnostics)
		}
	}
}

func TestNew_SaysWhatIsWrongWithAnExpression(t *testing.T) {
	t.Parallel()
	var diagnostics diag.Diagnostics
	namefilter.New(types.StringNull(), types.StringValue("("), &diagnostics)
	if len(diagnostics) != 1 || diagnostics[0].Summary() != "Not a regular expression" || !strings.Contains(diagnostics[0].Detail(), "Error parsing regexp: missing closing )") {
		t.Errorf("got %v", diagnostics)
	}
}
