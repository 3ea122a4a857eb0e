// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Severity says what a finding means.
type Severity string

// The severities.
const (
	// Refused: the job would fail, run in another way than it says, or lose data.
	Refused Severity = "refused"
	// Warned: Dagger ignores the value in silence, or whether it works depends on
	// what the configuration does not tell.
	Warned Severity = "warned"
)

// Key is a step of a path into a map.
type Key string

// Path leads to an attribute: names are strings, places in a list ints, and
// names in a map Keys.
type Path []any

// String is the path as Terraform writes it.
func (p Path) String() string {
	var text strings.Builder
	for i, step := range p {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&text, "[%d]", step)
		case Key:
			fmt.Fprintf(&text, "[%q]", string(step))
		case string:
			if i > 0 {
				text.WriteByte('.')
			}
			text.WriteString(step)
		}
	}
	return text.String()
}

// Finding is something that is wrong with an attribute.
type Finding struct {
	Severity Severity
	Path     Path
	// Summary is one line; Detail says why, and what to do. Neither has a secret.
	Summary, Detail string
}

// checker collects findings.
type checker struct {
	Document
	found []Finding
}

// Check finds what is wrong with a configuration that is Completed. What is not
// known yet is taken to be right.
func Check(document Document) []Finding {
	c := &checker{Document: document}
	root := node{c: c, v: Fields(document.Values), options: table}
	c.options(root)
	c.query(root)
	c.parallelism(root)
	c.factories(root)
	c.streams(root)
	c.sinks(root)
	c.registry(root)
	c.darts(root)
	c.longbow(root)
	c.preprocessor(root)
	c.postprocessor(root)
	c.python(root)
	c.extra()
	return c.found
}

func (c *checker) add(severity Severity, at Path, summary, detail string) {
	c.found = append(c.found, Finding{Severity: severity, Path: slices.Clone(at), Summary: summary, Detail: detail})
}

// faulty tells whether something was found at a path already.
func (c *checker) faulty(at Path) bool {
	text := at.String()
	return slices.ContainsFunc(c.found, func(f Finding) bool { return f.Path.String() == text })
}

// node is an object or a group in the configuration.
type node struct {
	c       *checker
	path    Path
	v       Value
	options []Option
}

// at is the path of an attribute.
func (n node) at(attribute string) Path {
	return append(slices.Clone(n.path), attribute)
}

// set tells whether an attribute is there, known or not.
func (n node) set(attribute string) bool {
	return n.v.form == unknown || n.v.fields[attribute].form != absent
}

// given tells whether an attribute is known to be there.
func (n node) given(attribute string) bool {
	return n.v.form != unknown && n.v.fields[attribute].form != absent
}

// text is that of an attribute, if it is one and known.
func (n node) text(attribute string) (string, bool) {
	v, ok := n.v.fields[attribute].shown()
	return v.text, ok && v.form == scalar
}

// word is the text of an attribute, or its default; empty when it is not known.
func (n node) word(attribute, fallback string) string {
	if !n.set(attribute) {
		return fallback
	}
	text, _ := n.text(attribute)
	return text
}

// number is that of an attribute, or its default.
func (n node) number(attribute string) (int64, bool) {
	o, _ := named(n.options, attribute)
	text := n.word(attribute, o.Default)
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil
}

// on tells whether a flag is known to be true, off whether it is known not to be.
func (n node) on(attribute string) bool  { return n.word(attribute, "false") == "true" }
func (n node) off(attribute string) bool { return n.word(attribute, "false") == "false" }

// texts are those of a list that are known, with their places.
func (n node) texts(attribute string) map[int]string {
	v, _ := n.v.fields[attribute].shown()
	texts := map[int]string{}
	for i, item := range v.items {
		if item.form == scalar {
			texts[i] = item.text
		}
	}
	return texts
}

// inner is an object or a group in this one.
func (n node) inner(attribute string) node {
	o, _ := named(n.options, attribute)
	v := n.v.fields[attribute]
	if n.v.form == unknown {
		v = Unknown()
	}
	return node{c: n.c, path: n.at(attribute), v: v, options: o.Options}
}

// each are the objects of a list.
func (n node) each(attribute string) []node {
	o, _ := named(n.options, attribute)
	items := n.v.fields[attribute].items
	nodes := make([]node, 0, len(items))
	for i, item := range items {
		nodes = append(nodes, node{c: n.c, path: append(n.at(attribute), i), v: item, options: o.Options})
	}
	return nodes
}

func (n node) refuse(attribute, summary, detail string) {
	n.c.add(Refused, n.at(attribute), summary, detail)
}

func (n node) warn(attribute, summary, detail string) {
	n.c.add(Warned, n.at(attribute), summary, detail)
}

// options checks what concerns one option alone.
func (c *checker) options(n node) {
	for _, o := range n.options {
		v, set := n.v.fields[o.Attribute]
		if !set || v.form == absent || o.Required && v.form == scalar && v.text == "" && o.Attribute != "password" {
			if o.Required && n.v.form == object {
				n.refuse(o.Attribute, o.Attribute+" is missing", c.need(o))
			}
			continue
		}
		if o.Only != "" && c.Namespace != o.Only {
			n.warn(o.Attribute, o.Attribute+" has no effect", fmt.Sprintf("Dagger has it in the namespace %q alone, and this job's is %q.", o.Only, c.Namespace))
			continue
		}
		if o.Unread != "" {
			n.warn(o.Attribute, o.Attribute+" has no effect", o.Unread)
			continue
		}
		switch o.Kind {
		case Group, Object, First:
			c.options(n.inner(o.Attribute))
		case Objects:
			for _, item := range n.each(o.Attribute) {
				c.options(item)
			}
		case Count, Millis:
			n.limits(o)
		default:
			n.wording(o)
			n.dash(o, v)
		}
	}
}

// dash refuses the value of a key of its own that begins with -: also among
// encoded arguments, Flink takes it for the next key.
func (n node) dash(o Option, v Value) {
	v, ok := v.shown()
	if !ok || len(n.path) > 1 || o.In != "" || o.Kind == Query || !v.Known() {
		return
	}
	texts := map[string]string{"": flat(o, v)}
	if o.Kind == Prefixed {
		texts = map[string]string{}
		for name, field := range v.fields {
			texts[name] = field.text
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if strings.HasPrefix(texts[name], "-") && !n.c.faulty(n.at(o.Attribute)) {
			n.refuse(o.Attribute, o.Attribute+" begins with -", "Flink would take the value for the next key, and drop this one.")
		}
	}
}

// need says what becomes of a job without an option.
func (c *checker) need(o Option) string {
	switch {
	case o.Default == "0":
		return fmt.Sprintf("Dagger's default is 0, with which the job fails as soon as it runs. Set it, such as %s = 100.", o.Attribute)
	case o.Attribute == atSink:
		return "Dagger would take influx. Set one of influx, kafka, log and bigquery."
	}
	return "Dagger needs it, and the job fails without it. " + strings.ReplaceAll(o.What, "`", "")
}

// limits checks a number.
func (n node) limits(o Option) {
	text, known := n.text(o.Attribute)
	number, err := strconv.ParseInt(text, 10, 64)
	if !known || err != nil || number >= o.Min && number <= o.Max {
		return
	}
	n.refuse(o.Attribute, fmt.Sprintf("%s is out of its limits", o.Attribute), fmt.Sprintf("It is %d; allowed is %s.", number, o.Limits()))
}

var className = regexp.MustCompile(`^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$`)

// wording checks texts.
func (n node) wording(o Option) {
	texts := n.texts(o.Attribute)
	if text, ok := n.text(o.Attribute); ok {
		texts[-1] = text
	}
	for _, i := range slices.Sorted(maps.Keys(texts)) {
		at, text := n.at(o.Attribute), texts[i]
		if i >= 0 {
			at = append(at, i)
		}
		switch {
		case o.Secret || o.Attribute == atFactories:
		case len(o.Words) > 0 && !o.knows(text):
			n.c.add(Refused, at, fmt.Sprintf("%q is no word that %s knows", text, o.Attribute), o.unknownWord(text))
		case o.Class && !className.MatchString(text):
			n.c.add(Refused, at, fmt.Sprintf("%q is not the name of a class", text), "Write the class with its package, without blanks, such as com.example.Message. Dagger cannot load another.")
		case o.Kind == List && strings.Contains(text, o.Separator) && o.Separator != "|":
			n.c.add(Refused, at, fmt.Sprintf("An element of %s has a %q in it", o.Attribute, o.Separator), "Dagger would read two of it. Write each as an element of its own.")
		}
	}
}

func (o Option) knows(text string) bool {
	return slices.ContainsFunc(o.Words, func(word string) bool { return word == text || o.AnyCase && strings.EqualFold(word, text) })
}

func (o Option) unknownWord(text string) string {
	detail := "Dagger fails on it."
	switch o.Attribute {
	case atSink:
		detail = "Dagger takes any word that it does not know, and a known one in capitals, for influx."
	case "stencil_refresh_strategy":
		detail = "Dagger takes any word that it does not know for LONG_POLLING."
	case atSecurity:
		detail = "Dagger fails on it. To talk to brokers without encryption and login, leave it out."
	case atReadOrder:
		detail = "Dagger fails on it, also on EARLIEST_INDEX_FIRST, which its code lists."
	}
	known := "Known are " + strings.Join(o.Words, ", ") + ", in this case."
	if o.AnyCase {
		known = "Known are " + strings.Join(o.Words, ", ") + "."
	}
	for _, word := range o.Words {
		if strings.EqualFold(word, strings.TrimSpace(text)) {
			return detail + " Write " + word + "."
		}
	}
	return detail + " " + known
}

// extra checks keys that are not modelled.
func (c *checker) extra() {
	for _, key := range slices.Sorted(maps.Keys(c.Extra)) {
		at, value := Path{"extra_configuration", Key(key)}, c.Extra[key]
		o, attribute, known := Find(key)
		switch {
		case known && o.Documented == key:
			c.add(Refused, at, key+" has an attribute", fmt.Sprintf("Set %s, which is rendered as %s: Dagger does not read %s.", attribute, o.Key, key))
		case known:
			c.add(Refused, at, key+" has an attribute", fmt.Sprintf("Set %s, which is checked, and remove this.", attribute))
		case strings.HasPrefix(key, "terraform."):
			c.add(Refused, at, "Keys that begin with terraform. are the provider's own", "By them it knows its jobs again. Give it another name.")
		case key == "encodedArgs":
			c.add(Refused, at, "encodedArgs is how the provider passes all others", "Dagger would read this and nothing else. Set its keys one by one.")
		case key == "" || strings.ContainsAny(key, " \t\r\n=") || strings.HasPrefix(key, "-"):
			c.add(Refused, at, fmt.Sprintf("%q is no key", key), "A key has neither blanks nor =, and no - at its beginning: the provider adds that.")
		case strings.HasPrefix(value, "-") && !numeric(value):
			c.add(Refused, at, key+" begins with -", "Flink would take the value for the next key, and drop this one.")
		default:
			c.extraIgnored(at, key)
		}
	}
}

// extraIgnored warns of keys without an effect.
func (c *checker) extraIgnored(at Path, key string) {
	const spelled = "Dagger looks at the case of keys, and at each letter."
	upper := strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
	_, attribute, known := Find(upper)
	switch {
	case upper != key && known:
		c.add(Warned, at, key+" has no effect", fmt.Sprintf("%s Set %s.", spelled, attribute))
	case strings.HasPrefix(key, "SOURCE_KAFKA_C"):
		c.add(Warned, at, key+" has no effect", "Dagger reads the options of a stream in streams alone.")
	case key == "SINK_BIGQUERY_ROW_INSERT_ID_ENABLE":
		c.add(Warned, at, key+" has no effect", "Dagger always sets it to false.")
	}
}
