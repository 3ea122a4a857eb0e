// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package changes_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
)

func testSchema() schema.Schema {
	return schema.Schema{MarkdownDescription: "A thing.", Attributes: map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true, MarkdownDescription: "Its name."},
		"limits": schema.SingleNestedAttribute{Optional: true, MarkdownDescription: "Its limits.", Attributes: map[string]schema.Attribute{
			"time": schema.StringAttribute{Optional: true, MarkdownDescription: "A time."},
		}},
		"id":   schema.StringAttribute{Computed: true, MarkdownDescription: "Its id."},
		"tags": schema.SetAttribute{Optional: true, MarkdownDescription: "Its tags."},
	}}
}

func testTable() changes.Table {
	return changes.Table{
		Effects: map[changes.Class]string{changes.None: "nothing is sent"},
		Rows: []changes.Row{
			{Attribute: "name", Class: changes.Replace},
			{Attribute: "limits", Class: changes.Nested},
			{Attribute: "limits.time", Class: changes.None, Note: "seconds count", Respelled: true},
			{Attribute: "id", Class: changes.Computed, After: []changes.Class{changes.Replace}},
			{Attribute: "tags", Class: changes.InPlace},
		},
	}
}

func TestCheck_FindsEachDifference(t *testing.T) {
	t.Parallel()
	without := func(attribute string) changes.Table {
		table := testTable()
		table.Rows = slices.DeleteFunc(table.Rows, func(row changes.Row) bool { return row.Attribute == attribute })
		return table
	}
	with := func(row changes.Row) changes.Table {
		table := without(row.Attribute)
		table.Rows = append(table.Rows, row)
		return table
	}
	twice := testTable()
	twice.Rows = append(twice.Rows, twice.Rows[0])
	for name, c := range map[string]struct {
		table changes.Table
		want  []string
	}{
		"none":                   {testTable(), nil},
		"no row":                 {without("name"), []string{"name has no row"}},
		"no row, nested":         {without("limits.time"), []string{"limits.time has no row"}},
		"no row, computed":       {without("id"), []string{"id has no row"}},
		"no attribute":           {with(changes.Row{Attribute: "limits.size", Class: changes.None}), []string{"limits.size has a row and is no attribute"}},
		"settable as computed":   {with(changes.Row{Attribute: "name", Class: changes.Computed}), []string{`name has the class "computed"`}},
		"computed as settable":   {with(changes.Row{Attribute: "id", Class: changes.None}), []string{`id has the class "none"`}},
		"nested with a class":    {with(changes.Row{Attribute: "limits", Class: changes.None}), []string{`limits has the class "none"`, "limits.time has a row and is no attribute"}},
		"a leaf without a class": {with(changes.Row{Attribute: "name", Class: changes.Nested}), []string{`name has the class "as its attributes"`}},
		"two rows":               {twice, []string{"name has two rows"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.table.Check(c.table.Describe(testSchema())); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if got := testTable().Check(testSchema()); len(got) != 3 {
		t.Errorf("a schema whose descriptions say nothing of changes: %q", got)
	}
}

func TestDescribe_SaysWhatAChangeDoes(t *testing.T) {
	t.Parallel()
	s := testTable().Describe(testSchema())
	if got, want := s.Attributes["name"].GetMarkdownDescription(), "Its name. Change class: **replace**."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	limits, ok := s.Attributes["limits"].(schema.SingleNestedAttribute)
	if !ok {
		t.Fatalf("limits became %T", s.Attributes["limits"])
	}
	const time = "A time. Change class: **none** (seconds count; nothing is sent; another spelling of the same value is no change)."
	if got := limits.Attributes["time"].GetMarkdownDescription(); got != time {
		t.Errorf("got %q, want %q", got, time)
	}
	text, table, found := strings.Cut(s.MarkdownDescription, changes.Heading)
	if !found || strings.TrimSpace(text) != "A thing." {
		t.Fatalf("the description is %q", s.MarkdownDescription)
	}
	for _, line := range []string{
		"**replace** | `name` | `id`",
		"**none**: nothing is sent | `limits.time` (seconds count) | none",
		"is no change: `limits.time`.",
	} {
		if !strings.Contains(table, line+"\n") {
			t.Errorf("the table lacks %q: %s", line, table)
		}
	}
	if strings.Contains(table, "`limits`") {
		t.Errorf("an object stands beside its attributes: %s", table)
	}
}
