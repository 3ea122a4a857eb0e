// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
)

// want is a problem, with words of its summary and detail.
type want struct {
	severity bundle.Severity
	path     string
	words    []string
}

func check(t *testing.T, name string, tree files, o bundle.CheckOptions, wanted ...want) {
	t.Helper()
	s := bundle.Source{Files: tree}
	found, err := bundle.Check(t.Context(), s, read(t, s), o)
	must(t, err)
	if len(found) != len(wanted) {
		t.Errorf("%s: found %+v, want %v", name, found, wanted)
		return
	}
	for i, problem := range found {
		text := problem.Summary + ". " + problem.Detail
		if problem.Severity != wanted[i].severity || problem.Path != wanted[i].path {
			t.Errorf("%s: found %+v, want %v", name, problem, wanted[i])
		}
		for _, word := range wanted[i].words {
			if !strings.Contains(text, word) {
				t.Errorf("%s: %q does not say %q", name, text, word)
			}
		}
	}
}

// elf is the head of a program for Linux.
func elf(class, order byte, machine uint16) string {
	head := make([]byte, 64)
	copy(head, "\x7fELF")
	head[4], head[5], head[6] = class, order, 1
	var bytes binary.ByteOrder = binary.LittleEndian
	if order == 2 {
		bytes = binary.BigEndian
	}
	bytes.PutUint16(head[18:], machine)
	return string(head)
}

func machO(cpu uint32) string {
	head := binary.LittleEndian.AppendUint32(nil, 0xfeedfacf)
	return string(binary.LittleEndian.AppendUint32(head, cpu)) + strings.Repeat("\x00", 24)
}

func fat(cpus ...uint32) string {
	head := binary.BigEndian.AppendUint32(nil, 0xcafebabe)
	head = binary.BigEndian.AppendUint32(head, uint32(len(cpus)))
	for _, cpu := range cpus {
		head = binary.BigEndian.AppendUint32(head, cpu)
		head = append(head, make([]byte, 16)...)
	}
	return string(head)
}

func pe(machine uint16) string {
	head := make([]byte, 128)
	copy(head, "MZ")
	head[60] = 64
	copy(head[64:], "PE\x00\x00")
	binary.LittleEndian.PutUint16(head[68:], machine)
	return string(head)
}

var (
	linuxX86   = elf(2, 1, 62)
	linuxArm   = elf(2, 1, 183)
	macX86     = machO(0x01000007)
	macArm     = machO(0x0100000c)
	javaClass  = "\xca\xfe\xba\xbe\x00\x00\x00\x3d\x00\x10"
	notImports = want{bundle.Risk, "fast.so", []string{"cannot be imported"}}
)

func TestCheck_C61_NativeCodeForAnotherPlatformIsNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		content string
		runs    []string
		not     map[string]string
	}{
		{linuxX86, []string{"linux_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64", "musllinux_1_2_x86_64"}, map[string]string{
			"linux_aarch64": "Linux x86_64", "macosx_11_0_x86_64": "Linux x86_64", "win_amd64": "Linux x86_64",
		}},
		{linuxArm, []string{"linux_aarch64"}, map[string]string{"linux_x86_64": "Linux aarch64"}},
		{elf(2, 2, 22), []string{"linux_s390x"}, map[string]string{"linux_x86_64": "Linux s390x"}},
		{elf(2, 1, 21), []string{"linux_ppc64le"}, map[string]string{"linux_ppc64": "Linux ppc64le"}},
		{elf(2, 2, 21), []string{"linux_ppc64"}, map[string]string{"linux_ppc64le": "Linux ppc64"}},
		{elf(1, 1, 3), []string{"linux_i686"}, map[string]string{"linux_x86_64": "Linux i686"}},
		// A machine that is not known is not held against its system.
		{elf(2, 1, 9999), []string{"linux_x86_64"}, map[string]string{"win_amd64": "Linux"}},
		{macX86, []string{"macosx_10_9_x86_64", "macosx_11_0_universal2"}, map[string]string{"linux_x86_64": "macOS x86_64", "macosx_11_0_arm64": "macOS x86_64"}},
		{macArm, []string{"macosx_11_0_arm64"}, map[string]string{"linux_aarch64": "macOS arm64"}},
		{fat(0x01000007, 0x0100000c), []string{"macosx_11_0_arm64", "macosx_10_9_x86_64"}, map[string]string{"linux_x86_64": "macOS arm64 and macOS x86_64"}},
		{pe(0x8664), []string{"win_amd64"}, map[string]string{"linux_x86_64": "Windows amd64", "win32": "Windows amd64"}},
		{pe(0x14c), []string{"win32"}, map[string]string{"win_arm64": "Windows win32"}},
		{javaClass, []string{"linux_x86_64", "macosx_11_0_arm64"}, nil},
		{"\x7fEL", []string{"linux_aarch64"}, nil},
		{"MZ is how a text may begin", []string{"linux_aarch64"}, nil},
		{"", []string{"linux_aarch64"}, nil},
	} {
		tree := files{"a.py": "", "fast.so": test.content}
		for _, platform := range append(test.runs, "", "any") {
			check(t, platform, tree, bundle.CheckOptions{TargetPlatform: platform}, notImports)
		}
		for platform, made := range test.not {
			check(t, platform, tree, bundle.CheckOptions{TargetPlatform: platform}, notImports,
				want{bundle.Refused, "fast.so", []string{"fast.so is made for " + made + ", and the job runs on " + platform, "target_platform"}})
		}
	}
}

func TestCheck_C61_TheNameTellsWhereTheContentDoesNot(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]string{
		"pkg/x.cpython-311-darwin.so":              "macOS",
		"pkg/x.cpython-311-aarch64-linux-gnu.so":   "Linux aarch64",
		"pkg/x.pypy310-pp73-aarch64-linux-gnu.so":  "Linux aarch64",
		"pkg/x.cpython-311-i386-linux-gnu.so":      "Linux i686",
		"pkg/x.cpython-311-arm-linux-gnueabihf.so": "Linux armv7l",
		"pkg/x.cpython-311-x86_64-linux-musl.so":   "Linux x86_64 musl",
		"pkg/x.cp311-win_amd64.pyd":                "Windows amd64",
		"pkg/x.pyd":                                "Windows",
		"pkg/x.cpython-311-x86_64-linux-gnu.so":    "",
		"pkg/x.abi3.so":                            "",
		"pkg/x.so":                                 "",
	} {
		wanted := []want{{bundle.Risk, name, []string{"cannot be imported", name}}}
		if made != "" {
			wanted = append(wanted, want{bundle.Refused, name, []string{name + " is made for " + made}})
		}
		check(t, name, files{"a.py": "", name: "of no use"}, bundle.CheckOptions{TargetPlatform: "manylinux_2_28_x86_64"}, wanted...)
	}
	// The content knows better.
	check(t, "content", files{"a.py": "", "fast.so": linuxX86, "x.cpython-311-darwin.so": linuxX86},
		bundle.CheckOptions{TargetPlatform: "linux_x86_64"}, want{bundle.Risk, "fast.so", []string{"fast.so, x.cpython-311-darwin.so"}})
}

func TestCheck_C61_ABuildForEachPlatformIsNoProblem(t *testing.T) {
	t.Parallel()
	o := bundle.CheckOptions{TargetPlatform: "linux_x86_64"}
	check(t, "modules", files{"a.py": "", "p/x.cpython-311-darwin.so": macArm, "p/x.cpython-311-x86_64-linux-gnu.so": linuxX86, "p/x.cp311-win_amd64.pyd": pe(0x8664)}, o,
		want{bundle.Risk, "p/x.cp311-win_amd64.pyd", []string{"cannot be imported"}})
	// Of another package.
	check(t, "two packages", files{"a.py": "", "p/x.cpython-311-darwin.so": macArm, "q/x.cpython-311-x86_64-linux-gnu.so": linuxX86}, o,
		want{bundle.Risk, "p/x.cpython-311-darwin.so", []string{"cannot be imported"}},
		want{bundle.Refused, "p/x.cpython-311-darwin.so", []string{"macOS arm64"}})
	// Programs that packages carry for Windows do no harm.
	check(t, "programs", files{"a.py": "", "setuptools/gui-64.exe": pe(0x8664), "lib/libx.dylib": "", "lib/libgomp.so.1": linuxArm}, o,
		want{bundle.Risk, "lib/libgomp.so.1", []string{"Linux aarch64"}}, want{bundle.Risk, "lib/libx.dylib", []string{"macOS"}}, want{bundle.Risk, "setuptools/gui-64.exe", []string{"Windows amd64"}})
	many := files{"a.py": ""}
	for name := range strings.SplitSeq("abcdefghijkl", "") {
		many["p/"+name+".cpython-311-darwin.so"] = macArm
	}
	check(t, "many", many, o, want{bundle.Risk, "p/a.cpython-311-darwin.so", []string{"and 7 more"}}, want{bundle.Refused, "p/a.cpython-311-darwin.so", []string{"and 7 more"}})
}

func TestCheck_C61_WheelsAreReadByTheirNames(t *testing.T) {
	t.Parallel()
	o := bundle.CheckOptions{TargetPlatform: "linux_x86_64"}
	notOnPath := func(name string) want { return want{bundle.Risk, name, []string{"not on Python's path", name}} }
	for name, made := range map[string]string{
		"wheels/numpy-1.26.4-cp311-cp311-macosx_11_0_arm64.whl":                              "macOS arm64",
		"wheels/numpy-1.26.4-cp311-cp311-macosx_10_9_universal2.whl":                         "macOS universal2",
		"wheels/numpy-1.26.4-cp311-cp311-win_amd64.whl":                                      "Windows amd64",
		"wheels/numpy-1.26.4-1-cp311-cp311-manylinux_2_17_aarch64.manylinux2014_aarch64.whl": "Linux aarch64 glibc",
		"wheels/numpy-1.26.4-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl":     "",
		"wheels/six-1.16.0-py2.py3-none-any.whl":                                             "",
		"wheels/odd.whl":                                                                     "",
	} {
		wanted := []want{notOnPath(name)}
		if made != "" {
			wanted = append(wanted, want{bundle.Refused, name, []string{"is made for " + made, "pip download --platform"}})
		}
		check(t, name, files{"a.py": "", name: "PK"}, o, wanted...)
	}
	check(t, "one of each", files{
		"a.py": "", "w/numpy-1.26.4-cp311-cp311-macosx_11_0_arm64.whl": "", "w/numpy-1.26.4-cp311-cp311-manylinux2014_x86_64.whl": "",
	}, o, notOnPath("w/numpy-1.26.4-cp311-cp311-macosx_11_0_arm64.whl"))
	check(t, "libc", files{"a.py": "", "x-1-cp311-cp311-musllinux_1_2_x86_64.whl": ""}, bundle.CheckOptions{TargetPlatform: "manylinux2014_x86_64"},
		notOnPath("x-1-cp311-cp311-musllinux_1_2_x86_64.whl"), want{bundle.Refused, "x-1-cp311-cp311-musllinux_1_2_x86_64.whl", []string{"Linux x86_64 musl"}})
}

func TestParsePlatform_WhatIsNoneIsSaid(t *testing.T) {
	t.Parallel()
	for tag, word := range map[string]string{
		"linux_amd64": "say x86_64 instead of amd64", "linux_arm64": "say aarch64", "linux": `"linux_x86_64"`, "x86_64": `"linux_x86_64"`,
		"macosx_arm64": `"linux_x86_64"`, "win_x86_64": `"linux_x86_64"`, "Linux_x86_64": `"linux_x86_64"`, "linux_x86_64-gnu": `"linux_x86_64"`,
	} {
		if _, err := bundle.ParsePlatform(tag); err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), tag) {
			t.Errorf("%s: %v", tag, err)
		}
	}
	if _, err := bundle.Check(t.Context(), bundle.Source{}, &bundle.Manifest{}, bundle.CheckOptions{TargetPlatform: "linux_amd64"}); err == nil {
		t.Error("an unknown platform is taken")
	}
	for tag, wanted := range map[string]bundle.Platform{
		"any": {}, "linux_x86_64": {System: bundle.Linux, Machine: "x86_64"}, "win32": {System: bundle.Windows, Machine: "win32"},
		"musllinux_1_1_aarch64": {System: bundle.Linux, Machine: "aarch64", Libc: "musl"}, "macosx_10_15_universal2": {System: bundle.MacOS, Machine: "universal2"},
	} {
		if got, err := bundle.ParsePlatform(tag); err != nil || got != wanted {
			t.Errorf("%s: %+v, %v", tag, got, err)
		}
	}
}

func TestCheck_C62_WhatCannotBeImportedIsSaid(t *testing.T) {
	t.Parallel()
	deep := func(dir, inside string) want {
		return want{bundle.Risk, dir, []string{"All code of the bundle lies in " + dir, "imported as " + dir + "." + inside}}
	}
	for _, test := range []struct {
		name string
		tree files
		want []want
	}{
		{"modules", files{"udfs.py": "", "more.py": ""}, nil},
		{"a package", files{"geo/__init__.py": "", "geo/near.py": ""}, nil},
		{"a package beside a namespace", files{"geo/__init__.py": "", "shared/near.py": ""}, nil},
		{"two namespaces", files{"geo/near.py": "", "shared/near.py": ""}, nil},
		{"a namespace of packages in one", files{"org/team/geo/__init__.py": "", "org/team/geo/near.py": ""}, nil},
		{"one level", files{"src/udfs.py": "", "README.md": ""}, []want{deep("src", "udfs")}},
		{"one level, a package", files{"src/geo/__init__.py": "", "src/geo/near.py": "", "setup.py": "", "tests/test_near.py": ""}, []want{deep("src", "geo")}},
		{"the root is a package", files{"__init__.py": "", "near.py": ""}, []want{{bundle.Risk, "__init__.py", []string{"is itself a package", "its parent"}}}},
		{"data alone", files{"README.md": ""}, []want{{bundle.Risk, "", []string{"No file of the bundle ends in .py"}}}},
		{"nothing", files{}, []want{{bundle.Refused, "", []string{"empty"}}}},
		{"shadows", files{"types.py": "", "pyflink/__init__.py": "", "geo/json.py": "", "email/near.py": ""}, []want{
			{bundle.Risk, "pyflink", []string{"own module pyflink"}}, {bundle.Risk, "types.py", []string{"own module types"}},
		}},
		{"case", files{"Geo.py": "", "geo.py": ""}, []want{{bundle.Risk, "geo.py", []string{"Geo.py and geo.py differ in upper and lower case"}}}},
	} {
		check(t, test.name, test.tree, bundle.CheckOptions{}, test.want...)
	}
}

func TestCheck_ALargeArchiveSaysWhatReadsIt(t *testing.T) {
	t.Parallel()
	for _, m := range []bundle.Manifest{
		{Files: slices.Repeat([]bundle.File{{Path: "a/b.py"}}, 65_534)},
		{Files: []bundle.File{{Path: "a.py", Size: 5 << 30}}},
	} {
		found, err := bundle.Check(t.Context(), bundle.Source{}, &m, bundle.CheckOptions{})
		must(t, err)
		if !slices.ContainsFunc(found, func(p bundle.Problem) bool {
			return p.Path == "" && strings.Contains(p.Summary, "64-bit") && strings.Contains(p.Detail, "3.13")
		}) {
			t.Errorf("%d problems", len(found))
		}
	}
}

func TestDuplicates_C67_ListsNamesThatFilesShare(t *testing.T) {
	t.Parallel()
	got := bundle.Duplicates(read(t, bundle.Source{Files: files{
		"a/sample.py": "", "b/sample.py": "", "sample.py": "", "a/__init__.py": "", "b/__init__.py": "", "a/x.csv": "", "b/x.csv": "", "b/one.py": "",
	}}))
	if len(got) != 1 || got[0].Base != "sample.py" || !slices.Equal(got[0].Paths, []string{"a/sample.py", "b/sample.py", "sample.py"}) {
		t.Errorf("%+v", got)
	}
}
