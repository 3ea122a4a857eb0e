// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The systems of a Platform.
const (
	Linux   = "linux"
	MacOS   = "macosx"
	Windows = "win"
)

// Platform is what native code is made for.
type Platform struct {
	// System is Linux, MacOS or Windows, and empty for any.
	System string
	// Machine is spelled as in the names of wheels, for example x86_64, aarch64,
	// arm64 or amd64; empty for any. For universal2 it is that.
	Machine string
	// Libc is glibc or musl, empty where that is not told.
	Libc string
}

const (
	glibc      = "glibc"
	musl       = "musl"
	universal2 = "universal2"
)

var (
	linuxTag = regexp.MustCompile(`^(linux|manylinux1|manylinux2010|manylinux2014|manylinux_\d+_\d+|musllinux_\d+_\d+)_(.+)$`)
	macTag   = regexp.MustCompile(`^macosx_\d+_\d+_(.+)$`)

	linuxMachines = []string{"x86_64", "i686", "aarch64", "armv7l", "armv6l", "ppc64le", "ppc64", "s390x", "riscv64", "loongarch64"}
	macMachines   = []string{"x86_64", "arm64", "i386", universal2}

	// mistaken are the names that others use.
	mistaken = map[string]string{"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64", "i386": "i686"}
)

// ParsePlatform reads the platform part of a wheel's name, such as
// linux_x86_64, manylinux_2_28_aarch64, macosx_11_0_arm64 or win_amd64; "any"
// and the empty text are the zero Platform.
func ParsePlatform(tag string) (Platform, error) {
	switch tag {
	case "", "any":
		return Platform{}, nil
	case "win32":
		return Platform{System: Windows, Machine: "win32"}, nil
	case "win_amd64", "win_arm64":
		return Platform{System: Windows, Machine: strings.TrimPrefix(tag, "win_")}, nil
	}
	if m := macTag.FindStringSubmatch(tag); m != nil && slices.Contains(macMachines, m[1]) {
		return Platform{System: MacOS, Machine: m[1]}, nil
	}
	if m := linuxTag.FindStringSubmatch(tag); m != nil {
		p := Platform{System: Linux, Machine: m[2]}
		switch {
		case strings.HasPrefix(m[1], "many"):
			p.Libc = glibc
		case strings.HasPrefix(m[1], "musl"):
			p.Libc = musl
		}
		if slices.Contains(linuxMachines, p.Machine) {
			return p, nil
		}
		if right := mistaken[p.Machine]; right != "" {
			return Platform{}, fmt.Errorf("%q is no platform: wheels for Linux say %s instead of %s", tag, right, p.Machine)
		}
	}
	return Platform{}, fmt.Errorf(`%q is no platform; write it as in the name of a wheel, for example "linux_x86_64", "linux_aarch64" or "any"`, tag)
}

// String names a platform in a message.
func (p Platform) String() string {
	system := map[string]string{Linux: "Linux", MacOS: "macOS", Windows: "Windows"}[p.System]
	return strings.TrimSpace(strings.Join([]string{system, p.Machine, p.Libc}, " "))
}

// runs tells whether code that is made for another platform runs on this one,
// as far as both are told.
func (p Platform) runs(made Platform) bool {
	agree := func(a, b string) bool { return a == "" || b == "" || a == b }
	machine := agree(p.Machine, made.Machine) || p.System == MacOS && (made.Machine == universal2 || p.Machine == universal2)
	return agree(p.System, made.System) && machine && agree(p.Libc, made.Libc)
}

func (p Platform) runsAny(made []Platform) bool { return slices.ContainsFunc(made, p.runs) }

// platforms of native code.
func (n native) platforms() []Platform {
	if n.system == "" {
		return nil
	}
	if len(n.machines) == 0 {
		return []Platform{{System: n.system}}
	}
	all := make([]Platform, 0, len(n.machines))
	for _, machine := range n.machines {
		all = append(all, Platform{System: n.system, Machine: machine})
	}
	return all
}

// extension is the name of a native module of CPython or PyPy, up to its
// ending: module.cpython-311-x86_64-linux-gnu, module.cp311-win_amd64.
var (
	unixModule = regexp.MustCompile(`\.(?:cpython|pypy|graalpy)[^.]*?-(darwin|([a-z0-9_]+)-linux-(gnu|musl)[a-z0-9]*)\.so$`)
	winModule  = regexp.MustCompile(`\.(?:cp|pp|pypy)[^.]*-(win32|win_amd64|win_arm64)\.pyd$`)

	// gnuMachines are those that the triplets of GNU name otherwise.
	gnuMachines = map[string]string{"i386": "i686", "powerpc64le": "ppc64le", "powerpc64": "ppc64", "arm": "armv7l"}
)

// named are the platforms that the name of a file tells, empty for none.
func named(base string) []Platform {
	if m := unixModule.FindStringSubmatch(base); m != nil {
		if m[1] == "darwin" {
			return []Platform{{System: MacOS}}
		}
		p := Platform{System: Linux, Machine: m[2], Libc: glibc}
		if m[3] == musl {
			p.Libc = musl
		}
		if machine := gnuMachines[m[2]]; machine != "" {
			p.Machine = machine
		}
		return []Platform{p}
	}
	if m := winModule.FindStringSubmatch(base); m != nil {
		if p, err := ParsePlatform(m[1]); err == nil {
			return []Platform{p}
		}
	}
	switch {
	case strings.HasSuffix(base, ".pyd"), strings.HasSuffix(base, ".dll"):
		return []Platform{{System: Windows}}
	case strings.HasSuffix(base, ".dylib"):
		return []Platform{{System: MacOS}}
	}
	return nil
}

// wheelPlatforms are those of a wheel's name, name-version-python-abi-platform;
// empty for none that can be read.
func wheelPlatforms(base string) []Platform {
	parts := strings.Split(strings.TrimSuffix(base, ".whl"), "-")
	if len(parts) < 5 {
		return nil
	}
	var all []Platform
	for tag := range strings.SplitSeq(parts[len(parts)-1], ".") {
		if p, err := ParsePlatform(tag); err == nil {
			all = append(all, p)
		}
	}
	return all
}
