// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// reserved are arguments that the provider sends, or that change nothing.
var reserved = map[string]string{
	"conf":                   "The provider sends it itself, with the configuration file.",
	"sql":                    "The provider sends it itself. Set sql instead.",
	"app.name":               "The provider sends it itself. Set name instead.",
	"parallelism.default":    "It changes nothing. Set parallelism instead.",
	"execution.runtime-mode": "Set table.mode instead.",
	"flink.conf":             "It is StreamPark's console that uses it. Set configuration instead.",
}

// arguments reads them as Flink's ParameterTool does: a key, then its value
// unless the next one is a key too.
func (c *checker) arguments() {
	if c.Unknown[Args] {
		return
	}
	at := func(i int, severity Severity, summary, detail string) {
		c.findings = append(c.findings, Finding{Severity: severity, Attribute: Args, Index: i, Summary: summary, Detail: detail})
	}
	for i := 0; i < len(c.Args); i++ {
		arg := c.Args[i]
		name := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
		switch {
		case !strings.HasPrefix(arg, "-"):
			at(i, Refused, fmt.Sprintf("Argument %d is no key", i+1), "The client reads \"--key\", \"value\" by turns, and fails over anything else.")
			return
		case name == "":
			at(i, Refused, fmt.Sprintf("Argument %d is a key without a name", i+1), "The client fails over it.")
			return
		case reserved[name] != "":
			at(i, Refused, "--"+name+" cannot be an argument", reserved[name])
		case strings.HasPrefix(name, "terraform."):
			at(i, Refused, fmt.Sprintf("%q cannot be an argument", arg), "Names that begin with terraform. are the provider's own.")
		case strings.ContainsAny(name, " \t\n"):
			at(i, Warned, fmt.Sprintf("The name of argument %d has a blank in it", i+1), "The client takes all of it for the name, and nothing for the value. Write them as two arguments.")
		}
		if i+1 < len(c.Args) && isValue(c.Args[i+1]) {
			i++
		}
	}
}

// isValue tells whether an argument behind a key is its value.
func isValue(arg string) bool {
	if !strings.HasPrefix(arg, "-") {
		return true
	}
	_, err := strconv.ParseFloat(arg, 64)
	return err == nil
}

// variables checks that each placeholder has a value, and each variable a place.
func (c *checker) variables() {
	if c.Unknown[Variables] {
		return
	}
	used := map[string]bool{}
	templates := c.templates()
	for _, attribute := range []string{SQL, Statements, Extra, Args} {
		var missing []string
		for _, text := range templates[attribute] {
			for _, match := range placeholder.FindAllStringSubmatch(text, -1) {
				used[match[1]] = true
				if _, ok := c.Variables[match[1]]; !ok && !slices.Contains(missing, match[1]) {
					missing = append(missing, match[1])
				}
			}
		}
		slices.Sort(missing)
		if len(missing) > 0 {
			c.add(Warned, attribute, "Variables without a value: "+strings.Join(missing, ", "), "They are left as they are, such as ${"+missing[0]+"}: the provider knows no variables of StreamPark's console. Set them in variables or variables_wo.")
		}
	}
	var idle []string
	for name := range c.Variables {
		if !used[name] && !c.anyUnknown() {
			idle = append(idle, name)
		}
	}
	slices.Sort(idle)
	if len(idle) > 0 {
		c.add(Warned, Variables, "Variables that nothing uses: "+strings.Join(idle, ", "), "They go where ${name} is, in sql, sql_by_id, extra_configuration and args.")
	}
}

func (c *checker) anyUnknown() bool {
	return c.Unknown[SQL] || c.Unknown[Statements] || c.Unknown[Extra] || c.Unknown[Args]
}
