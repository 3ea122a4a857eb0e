// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
)

// calls is a configuration with an output for each call of a function, and what they are.
func calls(t *testing.T, function string, want map[string]knownvalue.Check) resource.TestStep {
	t.Helper()
	var config strings.Builder
	var checks []statecheck.StateCheck
	for argument, value := range want {
		name := fmt.Sprintf("o%d", len(checks))
		fmt.Fprintf(&config, "output %q {\n  value = provider::streaming::%s(%s)\n}\n", name, function, argument)
		checks = append(checks, statecheck.ExpectKnownOutputValue(name, value))
	}
	return resource.TestStep{Config: config.String(), ConfigStateChecks: checks}
}

func runFunctions(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.FakeFactories(), Steps: steps,
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
	})
}

func refuses(function, argument string, words ...string) resource.TestStep {
	return resource.TestStep{
		Config:      fmt.Sprintf("output \"o\" {\n  value = provider::streaming::%s(%s)\n}\n", function, argument),
		ExpectError: acctest.InOrder(words...),
	}
}

func number(text string) knownvalue.Check {
	value, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return knownvalue.NumberExact(value)
}

func TestFlow_DurationMilliseconds_IsWhatFlinkReads(t *testing.T) {
	t.Parallel()
	runFunctions(t,
		calls(t, "duration_milliseconds", map[string]knownvalue.Check{
			`"10 s"`: number("10000"), `"5 minutes"`: number("300000"), `"7d"`: number("604800000"), `"250"`: number("250"), `"0 s"`: number("0"),
			`"1500 µs"`: number("1.5"), `"1 ns"`: number("0.000001"), `provider::streaming::duration_text(1234567)`: number("1234567"),
		}),
		refuses("duration_milliseconds", `"1h30m"`, "Unknown unit", "one whole number and one unit"),
		refuses("duration_milliseconds", `"-1 s"`, "No number at the start", "one whole number and one unit"),
		refuses("duration_milliseconds", `""`, "No number at the start"),
		refuses("duration_milliseconds", `"300000 d"`, "Too large: at most 292 years"),
	)
}

func TestFlow_DurationText_IsTheLargestUnitThatIsWhole(t *testing.T) {
	t.Parallel()
	text := knownvalue.StringExact
	runFunctions(t,
		calls(t, "duration_text", map[string]knownvalue.Check{
			"90000": text("90 s"), "120000": text("2 min"), "86400000": text("1 d"), "1.5": text("1500 µs"), "0.1": text("100 µs"), "0": text("0 ms"),
			"0.000001": text("1 ns"), `provider::streaming::duration_milliseconds("36 h")`: text("36 h"),
		}),
		refuses("duration_text", "-1", "below zero"),
		refuses("duration_text", "0.0000001", "no spelling", "whole number of nanoseconds"),
		refuses("duration_text", "1e19", "no spelling", "292 years"),
	)
}

func TestFlow_MemoryBytes_IsWhatFlinkReads(t *testing.T) {
	t.Parallel()
	runFunctions(t,
		calls(t, "memory_bytes", map[string]knownvalue.Check{
			`"64 mb"`: number("67108864"), `"1g"`: number("1073741824"), `"512"`: number("512"), `"2 kibibytes"`: number("2048"), `"8388607 tb"`: number("9223370937343148032"),
		}),
		refuses("memory_bytes", `"1.5 gb"`, "Unknown unit", "one whole number and one unit"),
		refuses("memory_bytes", `"8388608 tb"`, "Too large"),
	)
}

func TestFlow_MemoryText_IsTheLargestUnitThatIsWhole(t *testing.T) {
	t.Parallel()
	text := knownvalue.StringExact
	runFunctions(t,
		calls(t, "memory_text", map[string]knownvalue.Check{
			"67108864": text("64 mb"), "1000": text("1000 b"), "2048": text("2 kb"), "1099511627776": text("1 tb"), "0": text("0 b"),
			`provider::streaming::memory_bytes("512 mb") * 3`: text("1536 mb"),
		}),
		refuses("memory_text", "0.5", "no spelling", "whole number of bytes"),
		refuses("memory_text", "9223372036854775808", "no spelling", "below 2^63"),
		refuses("memory_text", "-1", "below zero"),
	)
}

func TestFlow_SqlStatements_AreThoseOfAScript(t *testing.T) {
	t.Parallel()
	script := `<<-SQL
    -- What is before a statement; and behind it.
    SET 'table.exec.state.ttl' = '1 h';
    CREATE TABLE a (x STRING) WITH ('connector' = 'datagen', 'note' = 'a;b');
    /* one; two */ INSERT INTO b SELECT x FROM a; -- the end
  SQL
`
	texts := func(all ...string) knownvalue.Check {
		var checks []knownvalue.Check
		for _, one := range all {
			checks = append(checks, knownvalue.StringExact(one))
		}
		return knownvalue.ListExact(checks)
	}
	runFunctions(t,
		calls(t, "sql_statements", map[string]knownvalue.Check{
			script: knownvalue.ObjectExact(map[string]knownvalue.Check{
				"setup_statements": texts("SET 'table.exec.state.ttl' = '1 h'", "CREATE TABLE a (x STRING) WITH ('connector' = 'datagen', 'note' = 'a;b')"),
				"statement":        knownvalue.StringExact("INSERT INTO b SELECT x FROM a"),
			}),
			`"INSERT INTO b SELECT 1"`: knownvalue.ObjectExact(map[string]knownvalue.Check{
				"setup_statements": knownvalue.ListExact(nil), "statement": knownvalue.StringExact("INSERT INTO b SELECT 1"),
			}),
		}),
		refuses("sql_statements", `"CREATE TABLE a (x INT);"`, "Not the SQL of a job", "no pipeline"),
		refuses("sql_statements", `"INSERT INTO a SELECT 1;\nINSERT INTO b SELECT 2"`, "(line 2)", "second pipeline"),
		refuses("sql_statements", `"INSERT INTO a SELECT 'x"`, "line 1"),
	)
}
