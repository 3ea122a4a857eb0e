// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// The tree that bundles are made of: what a team's repository of Python UDFs
// with its dependencies looks like. It is the same at each run.
const (
	treeFiles = 5000
	treeBytes = 200_000_000
)

// share is one kind of files of the tree.
type share struct {
	files, bytes int
	name         string
	write        func(*rand.Rand, int) []byte
}

// shares add up to treeFiles and treeBytes.
var shares = []share{
	{files: 4300, bytes: 60_000_000, name: "package_%02d/module_%04d.py", write: pythonText},
	{files: 500, bytes: 50_000_000, name: "data_%02d/table_%04d.csv", write: tableText},
	{files: 150, bytes: 60_000_000, name: "native_%02d/library_%04d.bin", write: machineCode},
	{files: 50, bytes: 30_000_000, name: "model_%02d/weights_%04d.bin", write: noise},
}

// writeTree makes the tree below an empty directory.
func writeTree(ctx context.Context, dir string) error {
	random := rand.New(rand.NewPCG(2026, 6))
	for _, s := range shares {
		left := s.bytes
		for i := range s.files {
			if err := ctx.Err(); err != nil {
				return err
			}
			size := left
			if rest := s.files - i; rest > 1 {
				// Sizes differ: many small files, a few large ones.
				mean := left / rest
				size = min(mean/4+int(random.ExpFloat64()*float64(mean)*3/4), left-rest+1)
			}
			left -= size
			file := filepath.Join(dir, fmt.Sprintf(s.name, i%40, i))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(file, s.write(random, size), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// words are what names are put together from; the first are used the most.
var words = strings.Fields(`self value key name data result index item event count time state window field record stream table row
	size offset buffer config option path user order total price amount customer session request response message topic
	partition batch schema column type timestamp start end limit default parse load store merge filter group reduce apply`)

func word(random *rand.Rand) string {
	return words[min(int(random.ExpFloat64()*float64(len(words))/4), len(words)-1)]
}

func identifier(random *rand.Rand) string {
	if random.IntN(3) == 0 {
		return word(random)
	}
	return word(random) + "_" + word(random)
}

// pythonText is about as compressible as Python's own library.
func pythonText(random *rand.Rand, size int) []byte {
	var b strings.Builder
	b.WriteString("import json\nfrom pyflink.table.udf import udf\n\n")
	for b.Len() < size {
		fmt.Fprintf(&b, "\ndef %s(%s, %s):\n    \"\"\"%s the %s of each %s, and %s it.\"\"\"\n", identifier(random), identifier(random),
			identifier(random), word(random), identifier(random), identifier(random), word(random))
		for range 3 + random.IntN(12) {
			indent := strings.Repeat("    ", 1+random.IntN(3))
			a, c, d := identifier(random), identifier(random), identifier(random)
			switch random.IntN(6) {
			case 0:
				fmt.Fprintf(&b, "%sif %s is not None and %s > %d:\n%s    return %s\n", indent, a, c, random.IntN(1000), indent, d)
			case 1:
				fmt.Fprintf(&b, "%sself.%s = %s.%s(%s)\n", indent, a, c, d, identifier(random))
			case 2:
				fmt.Fprintf(&b, "%sfor %s in %s.%s():\n%s    %s.append(%s)\n", indent, a, c, d, indent, d, a)
			case 3:
				fmt.Fprintf(&b, "%sraise ValueError(f\"%s of {%s} is %d %s\")\n", indent, a, c, random.IntN(100), word(random))
			case 4:
				fmt.Fprintf(&b, "%s%s = {\"%s\": %s, \"%s\": %d}\n", indent, a, c, d, identifier(random), random.IntN(100000))
			default:
				fmt.Fprintf(&b, "%s# The %s %s before the %s of a %s.\n", indent, a, word(random), c, d)
			}
		}
	}
	return []byte(b.String()[:size])
}

func tableText(random *rand.Rand, size int) []byte {
	var b strings.Builder
	at := 1_700_000_000_000
	for b.Len() < size {
		at += random.IntN(5000)
		fmt.Fprintf(&b, "%d,%s,%d.%02d,%s-%04d,%t\n", at, word(random), random.IntN(500), random.IntN(100), word(random), random.IntN(3000), random.IntN(2) == 0)
	}
	return []byte(b.String()[:size])
}

// instructions are what compiled code consists of: some are everywhere, and
// short runs of them come again and again.
var instructions = func() [][]byte {
	random := rand.New(rand.NewPCG(2026, 8))
	all := make([][]byte, 900)
	for i := range all {
		all[i] = noise(random, 2+random.IntN(7))
	}
	return all
}()

// machineCode is about as compressible as shared libraries.
func machineCode(random *rand.Rand, size int) []byte {
	code := make([]byte, 0, size+16)
	for len(code) < size {
		code = append(code, instructions[min(int(random.ExpFloat64()*200), len(instructions)-1)]...)
		if random.IntN(5) == 0 {
			code = binary.LittleEndian.AppendUint32(code, uint32(random.ExpFloat64()*3000))
		}
	}
	return code[:size]
}

// noise is what was compressed before.
func noise(random *rand.Rand, size int) []byte {
	bytes := make([]byte, 0, size+8)
	for len(bytes) < size {
		bytes = binary.LittleEndian.AppendUint64(bytes, random.Uint64())
	}
	return bytes[:size]
}

// The other trees.
const (
	largeBytes = 2_000_000_000
	manyFiles  = 60_000
)

// writeLarge makes one large file, of nothing but holes: how long it takes is of
// no interest, only what memory.
func writeLarge(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file := filepath.Join(dir, "large.bin")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return err
	}
	return os.Truncate(file, largeBytes)
}

// writeMany makes many small files.
func writeMany(ctx context.Context, dir string) error {
	random := rand.New(rand.NewPCG(2026, 7))
	for i := range manyFiles {
		if err := ctx.Err(); err != nil {
			return err
		}
		file := filepath.Join(dir, fmt.Sprintf("package_%03d", i/100), fmt.Sprintf("module_%05d.py", i))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, pythonText(random, 200+random.IntN(800)), 0o600); err != nil {
			return err
		}
	}
	return nil
}
