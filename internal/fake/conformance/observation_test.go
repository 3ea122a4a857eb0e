// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Observation is one answer or effect, freed of what differs from run to run.
type Observation struct {
	// Route is the method and the route template.
	Route  string `json:"route,omitempty"`
	Status int    `json:"status,omitempty"`
	// Shape lists each path of a JSON body with its type or, if kept, its value.
	Shape []string `json:"shape,omitempty"`
	// Errors holds the first message and the class of each cause of an error body.
	Errors []string `json:"errors,omitempty"`
	// Text is the normalised body where it is no JSON.
	Text string `json:"text,omitempty"`
	// Effect is something read back.
	Effect string `json:"effect,omitempty"`
}

// outcome is what makes an observation distinct when coverage is counted: the route, the status and, for errors,
// which error.
func (o Observation) outcome() string {
	if o.Route == "" {
		return ""
	}
	return fmt.Sprintf("%s -> %d %s", o.Route, o.Status, strings.Join(o.Errors, " | "))
}

func observe(c Call, r Response) Observation {
	o := Observation{Route: c.Method + " " + c.Route, Status: r.Status}
	if r.JSON == nil {
		o.Text = normalise(string(r.Body))
		return o
	}
	if m, ok := r.JSON.(map[string]any); ok {
		if errs, ok := m["errors"].([]any); ok && r.Status >= 400 {
			for _, e := range errs {
				o.Errors = append(o.Errors, errorLines(fmt.Sprint(e))...)
			}
		}
	}
	seen := map[string]bool{}
	shape(r.JSON, "$", c, seen)
	for line := range seen {
		o.Shape = append(o.Shape, line)
	}
	slices.Sort(o.Shape)
	return o
}

// shape collects "path: type" lines. The elements of a list share one path, so that their number does not matter.
func shape(v any, path string, c Call, out map[string]bool) {
	if slices.Contains(c.Ignore, path) {
		return
	}
	keep := slices.Contains(c.Keep, path)
	switch x := v.(type) {
	case map[string]any:
		out[path+": object"] = true
		for k, e := range x {
			shape(e, path+"."+hexID.ReplaceAllString(k, "<id>"), c, out)
		}
	case []any:
		out[path+": list"] = true
		if keep {
			out[path+": length "+strconv.Itoa(len(x))] = true
		}
		for _, e := range x {
			shape(e, path+"[]", c, out)
		}
	case string:
		line(out, path, "string", keep, normalise(x))
	case float64:
		line(out, path, "number", keep, strconv.FormatFloat(x, 'f', -1, 64))
	case bool:
		line(out, path, "bool", keep, strconv.FormatBool(x))
	default:
		line(out, path, "null", keep, "null")
	}
}

func line(out map[string]bool, path, kind string, keep bool, value string) {
	if keep {
		out[path+" = "+value] = true
		return
	}
	out[path+": "+kind] = true
}

var (
	hexID   = regexp.MustCompile(`[0-9a-fA-F]{32}`)
	uuid    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	paths   = regexp.MustCompile(`(?:file:)?/[A-Za-z0-9._<>-]+(?:/[A-Za-z0-9._<>-]+)+`)
	objects = regexp.MustCompile(`@[0-9a-f]{4,}`)
	dates   = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z?`)
)

// normalise takes ids, paths, object addresses and dates out of a text.
func normalise(s string) string {
	s = uuid.ReplaceAllString(s, "<uuid>")
	s = hexID.ReplaceAllString(s, "<id>")
	s = paths.ReplaceAllString(s, "<path>")
	s = objects.ReplaceAllString(s, "@<address>")
	s = dates.ReplaceAllString(s, "<date>")
	return strings.TrimSpace(s)
}

// errorLines reduces one element of an error body to its first message and the classes that caused it.
func errorLines(s string) []string {
	var out []string
	for i, l := range strings.Split(s, "\n") {
		l = strings.TrimSpace(l)
		switch {
		case i == 0:
			out = append(out, normalise(l))
		case strings.HasPrefix(l, "Caused by: "):
			class, _, _ := strings.Cut(strings.TrimPrefix(l, "Caused by: "), ":")
			out = append(out, "caused by "+class)
		case i == 1 && strings.HasPrefix(s, "<Exception on server side:"):
			class, _, _ := strings.Cut(l, ":")
			out = append(out, "server side "+class)
		}
	}
	return out
}
