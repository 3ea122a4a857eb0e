// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// conf is a flat configuration as Flink has it: the cluster's with the job's on top.
type conf map[string]string

// merged returns c with over on top.
func (c conf) merged(over map[string]string) conf {
	out := conf{}
	maps.Copy(out, c)
	maps.Copy(out, over)
	return out
}

// first returns the value of the first key that is set.
func (c conf) first(keys ...string) string {
	for _, k := range keys {
		if v := c[k]; v != "" {
			return v
		}
	}
	return ""
}

// Keys that have, or had, two names.
var (
	keyCheckpointDir = []string{"execution.checkpointing.dir", "state.checkpoints.dir"}
	keySavepointDir  = []string{"execution.checkpointing.savepoint-dir", "state.savepoints.dir"}
	keyRetention     = []string{"execution.checkpointing.externalized-checkpoint-retention"}
	keyRestart       = []string{"restart-strategy.type", "restart-strategy"}
	keyRestorePath   = []string{"execution.state-recovery.path", "execution.savepoint.path"}
	keyClaimMode     = []string{"execution.state-recovery.claim-mode", "execution.savepoint-restore-mode"}
	keyIgnoreState   = []string{"execution.state-recovery.ignore-unclaimed-state", "execution.savepoint.ignore-unclaimed-state"}
	keyBackend       = []string{"state.backend.type", "state.backend"}
)

var durationForm = regexp.MustCompile(`^(\d+)\s*([a-zµ]*)$`)

var durationUnits = map[string]time.Duration{
	"": time.Millisecond, "ms": time.Millisecond, "milli": time.Millisecond, "millis": time.Millisecond, "millisecond": time.Millisecond, "milliseconds": time.Millisecond,
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"h": time.Hour, "hour": time.Hour, "hours": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour, "days": 24 * time.Hour,
	"ns": time.Nanosecond, "nano": time.Nanosecond, "nanos": time.Nanosecond, "nanosecond": time.Nanosecond, "nanoseconds": time.Nanosecond,
	"us": time.Microsecond, "µs": time.Microsecond, "micro": time.Microsecond, "micros": time.Microsecond, "microsecond": time.Microsecond, "microseconds": time.Microsecond,
}

// parseDuration reads Flink's grammar: one number and one unit, milliseconds without one.
func parseDuration(s string) (time.Duration, bool) {
	m := durationForm.FindStringSubmatch(strings.ToLower(strings.TrimSpace(s)))
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	unit, known := durationUnits[m[2]]
	if err != nil || !known {
		return 0, false
	}
	return time.Duration(n) * unit, true
}

// duration reads a key; the fall-back is for a key that is not set.
func (c conf) duration(fallback time.Duration, keys ...string) (time.Duration, *throwable) {
	for _, k := range keys {
		v, set := c[k]
		if !set {
			continue
		}
		d, ok := parseDuration(v)
		if !ok {
			return 0, badValue(v, k).by(throw(classNumber, "text does not start with a number, and is not a valid ISO-8601 duration format: %s", v))
		}
		return d, nil
	}
	return fallback, nil
}

// integer reads a key; the fall-back is for a key that is not set.
func (c conf) integer(fallback int, key string) (int, *throwable) {
	v, set := c[key]
	if !set {
		return fallback, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil {
		return 0, badValue(v, key).by(throw(classNumber, "For input string: %q", v))
	}
	return n, nil
}

func (c conf) boolean(keys ...string) bool { return strings.EqualFold(c.first(keys...), "true") }

func badValue(value, key string) *throwable {
	return throw(classArgument, "Could not parse value '%s' for key '%s'.", value, key)
}

// splitQuoted splits like Flink's structured options: a quote that opens an item must close it, and is doubled
// within it; a quote anywhere else is text.
func splitQuoted(s string, delimiter byte) ([]string, *throwable) {
	var out []string
	afterDelimiter := true
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\'' || c == '"':
			item, end, ok := quotedItem(s, i)
			if !ok {
				return nil, throw(classArgument, "Could not split string. Quoting was not closed properly.")
			}
			for end < len(s) && (s[end] == ' ' || s[end] == '\t' || s[end] == '\n') {
				end++
			}
			if end < len(s) && s[end] != delimiter {
				return nil, throw(classArgument, "Could not split string. Illegal quoting at position: %d", i)
			}
			out, afterDelimiter, i = append(out, item), false, end
		case c == delimiter:
			if afterDelimiter {
				out = append(out, "")
			}
			afterDelimiter = true
			i++
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		default:
			end := strings.IndexByte(s[i:], delimiter)
			if end < 0 {
				end = len(s) - i
			}
			out, afterDelimiter, i = append(out, strings.TrimSpace(s[i:i+end])), false, i+end
		}
	}
	return out, nil
}

func quotedItem(s string, start int) (item string, end int, ok bool) {
	var b strings.Builder
	for i := start + 1; i < len(s); i++ {
		if s[i] != s[start] {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == s[start] {
			b.WriteByte(s[start])
			i++
			continue
		}
		return b.String(), i + 1, true
	}
	return "", 0, false
}

// parseMap reads a value of Flink's map type. Newer versions take a YAML flow map too, unless the cluster still has
// the old flink-conf.yaml.
func parseMap(s string, yaml bool) (map[string]string, *throwable) {
	if yaml && strings.HasPrefix(strings.TrimSpace(s), "{") {
		if m, ok := parseFlowMap(s); ok {
			return m, nil
		}
	}
	items, bad := splitQuoted(s, ',')
	if bad != nil {
		return nil, bad
	}
	out := map[string]string{}
	for _, item := range items {
		pair, bad := splitQuoted(item, ':')
		if bad != nil {
			return nil, bad
		}
		if len(pair) != 2 {
			return nil, throw(classArgument, "Map item is not a key-value pair (missing ':'?)")
		}
		if old, twice := out[pair[0]]; twice {
			return nil, throw(classState, "Duplicate key %s (attempted merging values %s and %s)", pair[0], old, pair[1])
		}
		out[pair[0]] = pair[1]
	}
	return out, nil
}
