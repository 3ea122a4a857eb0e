// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"strconv"
	"strings"
)

// flowParser reads the YAML flow maps that Flink takes for a map: one level, with plain, single quoted and double
// quoted scalars. JSON objects of texts are such maps.
type flowParser struct {
	text string
	pos  int
}

func parseFlowMap(s string) (map[string]string, bool) {
	p := &flowParser{text: strings.TrimSpace(s)}
	if !p.take('{') {
		return nil, false
	}
	out := map[string]string{}
	p.space()
	if p.take('}') {
		return out, p.end()
	}
	for {
		key, ok := p.scalar(":")
		if !ok || !p.take(':') {
			return nil, false
		}
		plain := !p.quoted()
		value, ok := p.scalar(",}")
		// Flink gives up on a map with a null in it and reads the text the old way.
		if !ok || plain && (value == "null" || value == "" || value == "~") {
			return nil, false
		}
		out[key] = value
		if p.take(',') {
			continue
		}
		return out, p.take('}') && p.end()
	}
}

func (p *flowParser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *flowParser) take(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *flowParser) end() bool {
	p.space()
	return p.pos == len(p.text)
}

func (p *flowParser) quoted() bool {
	p.space()
	return p.pos < len(p.text) && (p.text[p.pos] == '\'' || p.text[p.pos] == '"')
}

// scalar reads up to one of the stop characters, which a quoted scalar may contain.
func (p *flowParser) scalar(stop string) (string, bool) {
	p.space()
	if p.pos == len(p.text) {
		return "", false
	}
	switch p.text[p.pos] {
	case '\'':
		item, end, ok := quotedItem(p.text, p.pos)
		p.pos = end
		// A line break within single quotes folds into a space.
		return strings.ReplaceAll(item, "\n", " "), ok
	case '"':
		return p.doubleQuoted()
	}
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte(stop, p.text[p.pos]) < 0 {
		p.pos++
	}
	return strings.TrimSpace(p.text[start:p.pos]), p.pos < len(p.text)
}

var yamlEscapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", '"': `"`, '\\': `\`, '/': "/", 'b': "\b", 'f': "\f", '0': "\x00",
}

func (p *flowParser) doubleQuoted() (string, bool) {
	var b strings.Builder
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; c {
		case '"':
			p.pos++
			return b.String(), true
		case '\\':
			p.pos++
			if p.pos == len(p.text) {
				return "", false
			}
			if p.text[p.pos] != 'u' {
				b.WriteString(yamlEscapes[p.text[p.pos]])
				continue
			}
			r, ok := p.hex4()
			if !ok {
				return "", false
			}
			b.WriteRune(r)
		case '\n':
			b.WriteByte(' ') // A line break folds.
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// hex4 reads the four digits after \u and joins the two halves of a character beyond the first plane.
func (p *flowParser) hex4() (rune, bool) {
	read := func(at int) (rune, bool) {
		if at+4 > len(p.text) {
			return 0, false
		}
		n, err := strconv.ParseUint(p.text[at:at+4], 16, 32)
		return rune(n), err == nil
	}
	r, ok := read(p.pos + 1)
	if !ok {
		return 0, false
	}
	p.pos += 4
	if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(p.text[p.pos+1:], `\u`) {
		if low, ok := read(p.pos + 3); ok {
			p.pos += 6
			return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, true
		}
	}
	return r, true
}
