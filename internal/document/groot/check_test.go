// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
)

// doc is a document with sections, and these keys of the env block.
func doc(t *testing.T, pairs ...string) groot.Document {
	t.Helper()
	document := groot.Document{Name: "a", Env: map[string]groot.Value{}, Flink: map[string]string{}, Extra: map[string]string{}, Sections: parsed(t, "sources: {a: b}\n")}
	for i := 0; i < len(pairs); i += 2 {
		key, isFlink := strings.CutPrefix(pairs[i], "flink:")
		extra, isExtra := strings.CutPrefix(pairs[i], "extra:")
		switch {
		case isFlink:
			document.Flink[key] = pairs[i+1]
		case isExtra:
			document.Extra[extra] = pairs[i+1]
		default:
			at := slices.IndexFunc(groot.Table(), func(o groot.Option) bool { return o.Key == pairs[i] })
			option := groot.Table()[at]
			document.Env[option.Attribute()] = groot.Value{Text: pairs[i+1]}
			if option.Kind == groot.Locations {
				document.Env[option.Attribute()] = groot.Value{List: []string{pairs[i+1]}}
			}
		}
	}
	return document
}

func TestCheck_FindsWhatTheEngineWouldTake(t *testing.T) {
	t.Parallel()
	const refused, warned = groot.Refused, groot.Warned
	for name, test := range map[string]struct {
		document groot.Document
		around   groot.Around
		// at is attribute, member and key with dots; empty for no finding.
		at, part string
		severity groot.Severity
	}{
		"nothing wrong":                  {document: doc(t, "parallelism", "2", "pipeline.max-parallelism", "4", "execution.restart.strategy", "none")},
		"two names for one thing":        {document: doc(t, "execution.buffer-timeout", "10", "flink:execution.buffer-timeout", "10 ms"), at: "env.flink.execution.buffer-timeout", part: "same thing", severity: warned},
		"a newer name for it":            {document: doc(t, "execution.buffer-timeout", "10", "flink:execution.buffer-timeout.interval", "10 ms"), at: "env.flink.execution.buffer-timeout.interval", part: "same thing", severity: warned},
		"two modes":                      {document: doc(t, "execution.runtime-mode", "STREAMING", "flink:execution.runtime-mode", "BATCH"), at: "env.flink.execution.runtime-mode", part: "same thing", severity: refused},
		"a name of Flink's":              {document: doc(t, "flink:pipeline.name", "b"), at: "env.flink.pipeline.name", part: "same thing", severity: refused},
		"one that goes to the cluster":   {document: doc(t, "pipeline.object-reuse", "true"), around: groot.Around{Configuration: map[string]string{"pipeline.object-reuse": "true"}}, at: "configuration.pipeline.object-reuse", part: "set twice", severity: refused},
		"one in both maps":               {document: doc(t, "flink:a.b", "1"), around: groot.Around{Configuration: map[string]string{"a.b": "1"}}, at: "configuration.a.b", part: "set twice", severity: refused},
		"a modelled key":                 {document: doc(t, "extra:execution.runtime-mode", "BATCH"), at: "extra_configuration.execution.runtime-mode", part: "has an attribute", severity: refused},
		"the job's name":                 {document: doc(t, "extra:name", "b"), at: "extra_configuration.name", part: "has an attribute", severity: refused},
		"one of Flink's in extra":        {document: doc(t, "extra:flink.a", "1"), at: "extra_configuration.flink.a", part: "option of Flink", severity: refused},
		"the misprint":                   {document: doc(t, "extra:fink.execution.buffer-timeout", "1"), at: "extra_configuration.fink.execution.buffer-timeout", part: "misspelt", severity: refused},
		"a prefix too many":              {document: doc(t, "flink:flink.a", "1"), at: "env.flink.flink.a", part: "twice", severity: refused},
		"a blank in a key":               {document: doc(t, "flink:a ", "1"), at: "env.flink.a ", part: "blank", severity: refused},
		"an unreadable duration":         {document: doc(t, "flink:execution.checkpointing.interval", "1h30m"), at: "env.flink.execution.checkpointing.interval", part: "cannot read", severity: refused},
		"an unreadable size":             {document: doc(t, "flink:taskmanager.memory.segment-size", "1 MiB"), at: "env.flink.taskmanager.memory.segment-size", part: "cannot read", severity: refused},
		"an unreadable boolean":          {document: doc(t, "flink:pipeline.object-reuse", "yes"), at: "env.flink.pipeline.object-reuse", part: "cannot read", severity: refused},
		"an unreadable number":           {document: doc(t, "flink:parallelism.default", "2L"), at: "env.flink.parallelism.default", part: "cannot read", severity: refused},
		"an option that is gone":         {document: doc(t, "flink:state.backend.async", "true"), around: groot.Around{FlinkVersion: "2.3.0"}, at: "env.flink.state.backend.async", part: "has no option", severity: warned},
		"an option of the cluster":       {document: doc(t, "flink:taskmanager.numberOfTaskSlots", "2"), at: "env.flink.taskmanager.numberOfTaskSlots", part: "no effect", severity: warned},
		"no strategy of Flink's":         {document: doc(t, "flink:restart-strategy", "sometimes"), at: "env.flink.restart-strategy", part: "no restart strategy", severity: refused},
		"object-reuse":                   {document: doc(t, "flink:object-reuse", "true"), at: "env.flink.object-reuse", part: "no option", severity: warned},
		"above the limit":                {document: doc(t, "parallelism", "8", "pipeline.max-parallelism", "4"), at: "env.parallelism", part: "above", severity: refused},
		"the resource's above the limit": {document: doc(t, "pipeline.max-parallelism", "4"), around: groot.Around{Parallelism: 8}, at: "parallelism", part: "above", severity: refused},
		"above the resource's limit":     {document: doc(t, "parallelism", "8"), around: groot.Around{MaxParallelism: 4}, at: "env.parallelism", part: "above", severity: refused},
		"two parallelisms":               {document: doc(t, "parallelism", "8"), around: groot.Around{Parallelism: 4}, at: "env.parallelism", part: "and parallelism 4", severity: refused},
		"the same twice":                 {document: doc(t, "parallelism", "4"), around: groot.Around{Parallelism: 4}},
		"two limits":                     {document: doc(t, "pipeline.max-parallelism", "8"), around: groot.Around{MaxParallelism: 4}, at: "env.pipeline_max_parallelism", part: "and max_parallelism 4", severity: refused},
		"two limits, one of Flink's":     {document: doc(t, "flink:pipeline.max-parallelism", "8"), around: groot.Around{MaxParallelism: 4}, at: "env.flink", part: "and max_parallelism 4", severity: refused},
		"a delay without fixed-delay":    {document: doc(t, "execution.restart.strategy", "none", "execution.restart.delayBetweenAttempts", "1"), at: "env.execution_restart_delay_between_attempts", part: "no effect", severity: warned},
		"attempts without a strategy":    {document: doc(t, "execution.restart.attempts", "1"), at: "env.execution_restart_attempts", part: "no effect", severity: warned},
		"fixed-delay alone":              {document: doc(t, "execution.restart.strategy", "fixed-delay"), at: "env.execution_restart_strategy", part: "not set whole", severity: warned},
		"fixed-delay whole":              {document: doc(t, "execution.restart.strategy", "fixeddelay", "execution.restart.attempts", "1", "flink:restart-strategy.fixed-delay.delay", "1 s")},
		"failure-rate in part":           {document: doc(t, "execution.restart.strategy", "failure-rate", "execution.restart.failure-rate", "1", "execution.restart.failureInterval", "1"), at: "env.execution_restart_strategy", part: "not set whole", severity: warned},
		"BATCH with savepoints":          {document: doc(t, "execution.runtime-mode", "BATCH"), around: groot.Around{Savepoints: true}, at: "env.execution_runtime_mode", part: "no savepoints", severity: warned},
		"BATCH without":                  {document: doc(t, "execution.runtime-mode", "BATCH")},
		"full buffers":                   {document: doc(t, "execution.buffer-timeout", "-1"), at: "env.execution_buffer_timeout", part: "may not read", severity: warned},
		"base64":                         {document: doc(t, "shade.identifier", "base64"), at: "env.shade_identifier", part: "no encryption", severity: warned},
		"an unknown method":              {document: doc(t, "shade.identifier", "rot13"), at: "env.shade_identifier", part: "not a known method", severity: warned},
		"no method":                      {document: doc(t, "shade.identifier", "default")},
		"a host in a file's URL":         {document: doc(t, "jars", "file://local/jar1.jar"), at: "env.jars", part: `host "local"`, severity: warned},
		"no URL for Groot":               {document: doc(t, "jars", "/opt/a.jar"), at: "env.jars", part: "no URL", severity: warned},
		"no URL for Flink":               {document: doc(t, "pipeline.jars", "/opt/a.jar"), at: "env.pipeline_jars", part: "no URL", severity: refused},
		"a protocol of Hadoop's":         {document: doc(t, "pipeline.classpaths", "hdfs:///a.jar"), at: "env.pipeline_classpaths", part: "protocol", severity: refused},
		"a semicolon":                    {document: doc(t, "pipeline.jars", "file:///a;b.jar"), at: "env.pipeline_jars", part: "semicolon", severity: refused},
		"an empty location":              {document: doc(t, "jars", ""), at: "env.jars", part: "empty", severity: refused},
		"an env section":                 {document: groot.Document{Name: "a", Sections: parsed(t, "env: {a: 1}\n")}, at: "sections", part: "env block", severity: refused},
		"nothing to run":                 {document: groot.Document{Name: "a"}, at: "sections", part: "env block alone", severity: warned},
		"a modelled key in secrets":      {document: groot.Document{Name: "a", Secrets: parsed(t, "env: {name: b}\n")}, at: "secrets", part: "has an attribute", severity: refused},
		"a secret of Flink's":            {document: groot.Document{Name: "a", WriteOnly: parsed(t, "env: {flink.s3.secret-key: b}\n")}},
		"a secret for a file":            {document: groot.Document{Name: "a", WriteOnly: parsed(t, "a: b\n")}, around: groot.Around{Delivery: groot.Delivery{Form: groot.Path}}, at: "secrets_wo", part: "cannot reach a file", severity: refused},
		"an argument twice":              {document: doc(t), around: groot.Around{Delivery: groot.Delivery{Form: groot.Inline, Argument: "-c"}, Args: []string{"-v", "-c"}}, at: "args", part: "twice", severity: refused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := groot.Check(test.document, test.around)
			if test.at == "" {
				if len(found) > 0 {
					t.Errorf("found %+v", found)
				}
				return
			}
			if len(found) != 1 {
				t.Fatalf("found %+v", found)
			}
			at := strings.TrimSuffix(strings.TrimSuffix(found[0].Attribute+"."+found[0].Member, ".")+"."+found[0].Key, ".")
			if at != test.at || found[0].Severity != test.severity || !strings.Contains(found[0].Summary, test.part) || found[0].Detail == "" {
				t.Errorf("at %q: %+v", at, found[0])
			}
		})
	}
}

func TestCheck_FindsNothingAboutWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]groot.Document{
		"a strategy":   {Name: "a", Sections: parsed(t, "a: b\n"), Env: map[string]groot.Value{"execution_restart_attempts": {Text: "1"}}, Unknown: map[string]bool{"execution_restart_strategy": true}},
		"its delay":    {Name: "a", Sections: parsed(t, "a: b\n"), Env: map[string]groot.Value{"execution_restart_strategy": {Text: "fixed-delay"}, "execution_restart_attempts": {Text: "1"}}, Unknown: map[string]bool{"execution_restart_delay_between_attempts": true}},
		"the sections": {Name: "a", Unknown: map[string]bool{"sections": true}},
		"its secrets":  {Name: "a", Unknown: map[string]bool{"secrets": true}},
		"Flink's":      {Name: "a", Sections: parsed(t, "a: b\n"), Env: map[string]groot.Value{"execution_restart_attempts": {Text: "1"}}, Unknown: map[string]bool{"flink": true}},
	} {
		if found := groot.Check(document, groot.Around{}); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
