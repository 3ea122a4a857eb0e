// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/yamltree"
)

// Severity is what is to become of a finding.
type Severity int

// The severities.
const (
	// Refused is what fails at the cluster, or does something else than it says.
	Refused Severity = iota
	// Warned is what is ignored or may fail.
	Warned
)

// Names of the resource's attributes that findings are about.
const (
	EnvName      = "env"
	FlinkName    = "flink"
	ExtraName    = "extra_configuration"
	SectionsName = "sections"
	SecretsName  = "secrets"
	DeliveryName = "delivery"
	ArgsName     = "args"
)

// Finding is what is wrong.
type Finding struct {
	Severity Severity
	// Attribute is the resource's, Member one of the object that it is, Key the
	// key of a map, Index the element of a list, -1 without one.
	Attribute, Member, Key string
	Index                  int
	Summary, Detail        string
}

// Around is what the resource says beside the document. Numbers are 0 and texts
// empty where nothing is said, or nothing is known.
type Around struct {
	Parallelism, MaxParallelism int64
	// Configuration are Flink's options that go to the cluster beside the file.
	Configuration map[string]string
	// FlinkVersion is the cluster's.
	FlinkVersion string
	// Savepoints is true when the job is to be stopped with savepoints.
	Savepoints bool
	Delivery   Delivery
	Args       []string
}

// Check finds what the engine would take and regret.
func Check(d Document, around Around) []Finding {
	c := &checker{document: d, around: around}
	c.flink()
	c.twice()
	c.extra()
	c.parallelism()
	c.restarts()
	c.modes()
	c.locations()
	c.sections()
	c.delivery()
	return c.found
}

type checker struct {
	document Document
	around   Around
	found    []Finding
}

func (c *checker) add(severity Severity, attribute, member, summary, detail string) *Finding {
	c.found = append(c.found, Finding{Severity: severity, Attribute: attribute, Member: member, Index: -1, Summary: summary, Detail: detail})
	return &c.found[len(c.found)-1]
}

// env is a finding about an attribute of the env object.
func (c *checker) env(severity Severity, key, summary, detail string) {
	c.add(severity, EnvName, attributeOf(key), summary, detail)
}

// text is the value of an option of the env object.
func (c *checker) text(key string) (string, bool) {
	value, ok := c.document.Env[attributeOf(key)]
	return value.Text, ok
}

func (c *checker) number(key string) int64 {
	text, _ := c.text(key)
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

func (c *checker) unknown(key string) bool { return c.document.Unknown[attributeOf(key)] }

// twice finds what is said by an attribute, and by one of Flink's keys too.
func (c *checker) twice() {
	for _, option := range table {
		_, set := c.document.Env[option.Attribute()]
		if option.OfResource != "" {
			set = true
		}
		if !set && !c.unknown(option.Key) {
			continue
		}
		name := EnvName + "." + option.Attribute()
		if option.OfResource != "" {
			name = option.OfResource
		}
		for _, key := range option.Flink {
			if value, also := c.document.Flink[key]; also {
				c.over(option, key, value, name)
			}
			if _, also := c.around.Configuration[key]; also && option.OfResource == "" {
				c.add(Refused, "configuration", "", key+" is set twice", name+" sets it too. Remove one of them.").Key = key
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.document.Flink)) {
		if _, also := c.around.Configuration[key]; also {
			c.add(Refused, "configuration", "", key+" is set twice", "env.flink sets it too. Remove one of them.").Key = key
		}
	}
}

// over is about one of Flink's keys beside the attribute that means the same.
func (c *checker) over(option Option, key, value, name string) {
	severity := Warned
	wanted, _ := c.text(option.Key)
	switch {
	case option.OfResource != "":
		severity = Refused
	case option.Key == RuntimeModeKey && !c.unknown(option.Key) && !strings.EqualFold(wanted, value):
		severity = Refused
	}
	c.add(severity, EnvName, FlinkName, fmt.Sprintf("%s and %s%s say the same thing", name, FlinkPrefix, key),
		fmt.Sprintf("What begins with %s wins, so that %s has no effect. Remove one of them.", FlinkPrefix, name)).Key = key
}

// extra finds keys that have an attribute, or another place.
func (c *checker) extra() {
	for _, key := range slices.Sorted(maps.Keys(c.document.Extra)) {
		add := func(summary, detail string) { c.add(Refused, ExtraName, "", summary, detail).Key = key }
		option, modelled := lookupKey(key)
		rest, isFlink := strings.CutPrefix(key, FlinkPrefix)
		switch {
		case modelled && option.OfResource != "":
			add("Key "+key+" has an attribute", "Set "+option.OfResource+" instead.")
		case modelled:
			add("Key "+key+" has an attribute", "Set env."+option.Attribute()+" instead.")
		case isFlink:
			add("Key "+key+" is an option of Flink", fmt.Sprintf("Set env.flink = { %q = ... } instead.", rest))
		case strings.HasPrefix(key, "fink."):
			add("Key "+key+" is misspelt", fmt.Sprintf("Nothing reads what begins with fink. Set env.flink = { %q = ... } instead.", strings.TrimPrefix(key, "fink.")))
		case strings.TrimSpace(key) != key || key == "":
			add(fmt.Sprintf("Key %q is empty, or begins or ends with a blank", key), "Nothing reads such a key.")
		}
	}
}

// parallelism compares what several places say.
func (c *checker) parallelism() {
	own, given := c.number(ParallelismKey), c.number(MaxParallelismKey)
	place := attributeOf(MaxParallelismKey)
	if text, ok := c.document.Flink[MaxParallelismKey]; ok {
		given, _ = strconv.ParseInt(text, 10, 64)
		place = FlinkName
	}
	limit := given
	if limit == 0 {
		limit = c.around.MaxParallelism
	}
	wanted := own
	attribute, member := EnvName, attributeOf(ParallelismKey)
	if wanted == 0 {
		wanted, attribute, member = c.around.Parallelism, "parallelism", ""
	}
	if wanted > limit && limit > 0 {
		c.add(Refused, attribute, member, fmt.Sprintf("A parallelism of %d is above the limit of %d", wanted, limit), "Flink does not start such a job. Lower the parallelism; a higher limit makes state that exists unreadable.")
	}
	if own > 0 && c.around.Parallelism > 0 && own != c.around.Parallelism {
		c.env(Refused, ParallelismKey, fmt.Sprintf("env.parallelism is %d, and parallelism %d", own, c.around.Parallelism), "The first wins, and the second has no effect. Remove one of them: without env.parallelism the job can be rescaled in place.")
	}
	if given > 0 && c.around.MaxParallelism > 0 && given != c.around.MaxParallelism {
		c.add(Refused, EnvName, place, fmt.Sprintf("pipeline.max-parallelism is %d in env, and max_parallelism %d", given, c.around.MaxParallelism), "Remove one of them.")
	}
}

// strategyOf is one word for each strategy.
func strategyOf(word string) string {
	for _, words := range strategies {
		if slices.Contains(words, strings.ToLower(word)) {
			return words[0]
		}
	}
	return ""
}

// restarts holds the settings of restarts against the strategy.
func (c *checker) restarts() {
	word, set := c.text(StrategyKey)
	for _, key := range []string{"restart-strategy", "restart-strategy.type"} {
		if value, ok := c.document.Flink[key]; ok {
			word, set = value, true
		}
	}
	if c.unknown(StrategyKey) || c.document.Unknown[FlinkName] {
		return
	}
	strategy := strategyOf(word)
	for _, one := range []struct {
		strategy string
		keys     []string
	}{
		{"fixed-delay", []string{AttemptsKey, DelayKey}},
		{"failure-rate", []string{FailureRateKey, FailureIntervalKey, FailureDelayKey}},
	} {
		var missing []string
		for _, key := range one.keys {
			_, has := c.text(key)
			option, _ := lookupKey(key)
			if _, ofFlink := c.document.Flink[option.Flink[0]]; !has && !ofFlink && !c.unknown(key) {
				missing = append(missing, EnvName+"."+option.Attribute()+" ("+option.Flinks+")")
			}
			if has && strategy != one.strategy {
				c.env(Warned, key, fmt.Sprintf("env.%s has no effect", option.Attribute()),
					fmt.Sprintf("It counts with the strategy %s, and env.execution_restart_strategy is %s.", one.strategy, orNot(word, set)))
			}
		}
		if strategy == one.strategy && set && len(missing) > 0 {
			c.env(Warned, StrategyKey, "The strategy "+strategy+" is not set whole",
				"Not set are "+strings.Join(missing, ", ")+"; in brackets is what Flink takes then. Engines of this family refuse a strategy without them.")
		}
	}
}

func orNot(word string, set bool) string {
	if !set {
		return "not set"
	}
	return strconv.Quote(word)
}

// modes looks at the words that change what the whole job is.
func (c *checker) modes() {
	mode, _ := c.text(RuntimeModeKey)
	if value, ok := c.document.Flink["execution.runtime-mode"]; ok {
		mode = value
	}
	if strings.EqualFold(mode, "BATCH") && c.around.Savepoints {
		c.env(Warned, RuntimeModeKey, "A job in BATCH mode takes no savepoints", "It cannot be stopped with one. Set upgrade.mode = \"stateless\" and on_destroy = \"cancel\".")
	}
	if timeout, _ := c.text(BufferTimeoutKey); timeout == full {
		c.env(Warned, BufferTimeoutKey, "Flink may not read a buffer timeout of -1",
			"Groot Stream's documentation allows it, and names Flink's execution.buffer-timeout for it, which takes no negative duration. To be sure, set env.flink = { \"execution.buffer-timeout.enabled\" = \"false\" } instead.")
	}
	if _, set := c.document.Flink["object-reuse"]; set {
		c.add(Warned, EnvName, FlinkName, "Flink has no option object-reuse", "Groot Stream's documentation names it, but Flink's own is pipeline.object-reuse. Set env.pipeline_object_reuse instead, which is documented too.").Key = "object-reuse"
	}
	switch word, set := c.text(ShadeKey); {
	case !set || word == "default":
	case strings.EqualFold(word, "base64"):
		c.env(Warned, ShadeKey, "base64 is no encryption", "Everybody who sees the job file reads its secrets. Give them in secrets or secrets_wo instead, so that at least Terraform does not show them.")
	default:
		c.env(Warned, ShadeKey, fmt.Sprintf("%q is not a known method of encryption", word),
			"Engines of this family take a method that they do not know for none, without an error: values stay as they are. Check that the program brings it along.")
	}
}

// sections looks at what the file has beside env. What is in it is the engine's.
func (c *checker) sections() {
	d := c.document
	if _, has := d.Sections.Get(envKey); has {
		c.add(Refused, SectionsName, "", "The sections have an env block", "It is made of the attribute env. The function groot_job takes a whole job file apart.")
	}
	if len(d.Sections.Entries) == 0 && len(d.Secrets.Entries) == 0 && len(d.WriteOnly.Entries) == 0 && !d.Unknown[SectionsName] && !d.Unknown[SecretsName] {
		c.add(Warned, SectionsName, "", "The job file has an env block alone", "It names no source and no sink, so that there is nothing to run.")
	}
	for _, overlay := range []struct {
		name string
		node yamltree.Node
	}{{SecretsName, d.Secrets}, {SecretsName + "_wo", d.WriteOnly}} {
		env, has := overlay.node.Get(envKey)
		for _, key := range env.Keys() {
			if option, modelled := lookupKey(key.Text); modelled {
				name := option.OfResource
				if name == "" {
					name = EnvName + "." + option.Attribute()
				}
				c.add(Refused, overlay.name, "", "Key "+key.Text+" of env has an attribute", "Set "+name+" instead.")
			}
		}
		if has && env.Kind != yamltree.Map {
			c.add(Refused, overlay.name, "", "env is no map", "It would take the place of the whole env block.")
		}
	}
}

// delivery looks at the arguments.
func (c *checker) delivery() {
	d := c.around.Delivery
	if d.Form == Path && len(c.document.WriteOnly.Entries) > 0 {
		c.add(Refused, SecretsName+"_wo", "", "Write-only secrets cannot reach a file", "With delivery.form = \"path\" the provider gives the program the path alone, and does not write the file. Put the secrets into the file, or choose another form.")
	}
	if i := slices.Index(c.around.Args, d.Argument); d.Argument != "" && i >= 0 {
		finding := c.add(Refused, ArgsName, "", "Argument "+d.Argument+" is given twice", "delivery.argument adds it, with the job file. Leave it out here, or name another one there.")
		finding.Index = i
	}
}
