// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

func minutes(n int64) *api.Retention { return &api.Retention{Kind: api.RetainTime, Amount: n} }

func mebibytes(n int64) *api.Retention { return &api.Retention{Kind: api.RetainSize, Amount: n} }

func inexact(r *api.Retention) *api.Retention { r.Inexact = true; return r }

func TestLost_isTrueForWhatMayDeleteData(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		current, wanted *api.Retention
		loses           bool
	}{
		"none to none":                   {nil, nil, false},
		"first":                          {nil, minutes(1 << 40), true},
		"removed":                        {minutes(1), nil, false},
		"same":                           {minutes(60), minutes(60), false},
		"raised":                         {minutes(60), minutes(61), false},
		"shrunk":                         {minutes(60), minutes(59), true},
		"size raised":                    {mebibytes(1), mebibytes(2), false},
		"size shrunk":                    {mebibytes(2), mebibytes(1), true},
		"time to size":                   {minutes(1), mebibytes(1 << 40), true},
		"size to time":                   {mebibytes(1), minutes(1 << 40), true},
		"seconds hidden, the same":       {inexact(minutes(1440)), minutes(1440), true},
		"seconds hidden, a minute more":  {inexact(minutes(1440)), minutes(1441), false},
		"less than a minute to one":      {inexact(minutes(0)), minutes(1), false},
		"less than a MiB to one":         {inexact(mebibytes(0)), mebibytes(1), false},
		"less than a MiB to none":        {inexact(mebibytes(0)), nil, false},
		"less than a minute to a size":   {inexact(minutes(0)), mebibytes(1), true},
		"negative, which keeps nothing,": {inexact(minutes(-1440)), minutes(1), false},
	} {
		if got := lost(c.current, c.wanted); (got != "") != c.loses {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestConsent_isAskedForWhatIsNotStated(t *testing.T) {
	t.Parallel()
	plain := streamModel{Scope: types.StringValue("orders"), Name: types.StringValue("clicks")}
	loss, reset := plain, plain
	loss.AllowDataLoss, reset.AllowRetentionReset = types.BoolValue(true), types.BoolValue(true)
	for name, c := range map[string]struct {
		model           streamModel
		current, wanted *api.Retention
		words           string
	}{
		"shrunk":                      {plain, minutes(60), minutes(1), "would delete data"},
		"shrunk with the wrong word":  {reset, minutes(60), minutes(1), "would delete data"},
		"shrunk with consent":         {loss, minutes(60), minutes(1), ""},
		"hidden, not stated":          {plain, inexact(minutes(0)), nil, "would be removed"},
		"hidden, with the wrong word": {loss, inexact(minutes(0)), nil, "would be removed"},
		"hidden, with consent":        {reset, inexact(minutes(0)), nil, ""},
		"hidden, stated":              {plain, inexact(minutes(0)), minutes(1), ""},
		"removed":                     {plain, minutes(60), nil, ""},
	} {
		got := c.model.consent(c.current, c.wanted)
		if (got == nil) != (c.words == "") || got != nil && !strings.Contains(got.summary, c.words) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestFormat_isReadBackAsTheSame(t *testing.T) {
	t.Parallel()
	for _, n := range []int64{0, 1, 59, 60, 61, 90, 1439, 1440, 1441, 7 * 1440, 1500, 152722000} {
		text := formatMinutes(n)
		d, err := flinkvalue.Duration(text)
		if err != nil || int64(d.Minutes()) != n {
			t.Errorf("%d minutes: %q is %s, %v", n, text, d, err)
		}
		text = formatMillis(n)
		if d, err := flinkvalue.Duration(text); err != nil || d.Milliseconds() != n {
			t.Errorf("%d ms: %q is %s, %v", n, text, d, err)
		}
		text = formatMebibytes(n)
		if size, err := flinkvalue.Memory(text); err != nil || size != n*mebibyte {
			t.Errorf("%d MiB: %q is %d, %v", n, text, size, err)
		}
		text = formatBytes(n)
		if size, err := flinkvalue.Memory(text); err != nil || size != n {
			t.Errorf("%d bytes: %q is %d, %v", n, text, size, err)
		}
	}
	for n, want := range map[int64]string{7 * 1440: "7 d", 2160: "36 h", 90: "90 min", 0: "0 min"} {
		if got := formatMinutes(n); got != want {
			t.Errorf("%d minutes are written %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{10240: "10 gb", 1536: "1536 mb", 1 << 20: "1 tb"} {
		if got := formatMebibytes(n); got != want {
			t.Errorf("%d MiB are written %q, want %q", n, got, want)
		}
	}
}

func TestCheckName(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"a", "A.b-c9", "-", "...", strings.Repeat("x", 255)} {
		if wrong := checkName(good, maxScopeName); wrong != "" {
			t.Errorf("%q: %s", good, wrong)
		}
	}
	for _, bad := range []string{"", ".", "..", "_", "_x", "a_b", "a/b", "a b", "ä", strings.Repeat("x", 256)} {
		if checkName(bad, maxScopeName) == "" {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestList_isShort(t *testing.T) {
	t.Parallel()
	names := make([]string, 12)
	if got := enumerate(names); !strings.HasSuffix(got, " and 2 more") {
		t.Error(got)
	}
	if got := enumerate([]string{"a", "b"}); got != `"a", "b"` {
		t.Error(got)
	}
}
