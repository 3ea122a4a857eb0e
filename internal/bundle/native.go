// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// native is what the head of a file tells of the machine that its code is for.
type native struct {
	// system is one of the systems of a Platform, empty for no native code.
	system string
	// machines are those of a Platform; a Mach-O file can be for several.
	machines []string
}

// headSize is how much of a file sniff needs.
const headSize = 4096

// sniff looks at the beginning of a file.
func sniff(head []byte) native {
	head = head[:min(len(head), headSize)]
	for _, look := range []func([]byte) native{sniffELF, sniffMachO, sniffFat, sniffPE} {
		if found := look(head); found.system != "" {
			return found
		}
	}
	return native{}
}

// elfMachines are e_machine and the class of word that the name is for.
var elfMachines = map[[2]uint16]string{
	{3, 32}: "i686", {62, 64}: "x86_64", {183, 64}: "aarch64", {40, 32}: "armv7l", {243, 64}: "riscv64", {22, 64}: "s390x", {258, 64}: "loongarch64",
}

func sniffELF(head []byte) native {
	if len(head) < 20 || !bytes.HasPrefix(head, []byte("\x7fELF")) {
		return native{}
	}
	var order binary.ByteOrder = binary.LittleEndian
	if head[5] == 2 {
		order = binary.BigEndian
	}
	word := uint16(32)
	if head[4] == 2 {
		word = 64
	}
	machine := order.Uint16(head[18:])
	name := elfMachines[[2]uint16{machine, word}]
	if machine == 21 && word == 64 {
		name = "ppc64le"
		if head[5] == 2 {
			name = "ppc64"
		}
	}
	return native{system: Linux, machines: known(name)}
}

func known(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// machMachines are the cputype of Mach-O.
var machMachines = map[uint32]string{7: "i386", 0x01000007: "x86_64", 0x0100000c: "arm64"}

func sniffMachO(head []byte) native {
	if len(head) < 8 {
		return native{}
	}
	switch binary.LittleEndian.Uint32(head) {
	case 0xfeedface, 0xfeedfacf:
		return native{system: MacOS, machines: known(machMachines[binary.LittleEndian.Uint32(head[4:])])}
	}
	return native{}
}

// sniffFat knows a Mach-O file for several machines from a class of Java,
// which begins alike: a count of machines is small, a version is 45 or more.
func sniffFat(head []byte) native {
	if len(head) < 8 {
		return native{}
	}
	size := map[uint32]int{0xcafebabe: 20, 0xcafebabf: 32}[binary.BigEndian.Uint32(head)]
	count := int(binary.BigEndian.Uint32(head[4:]))
	if size == 0 || count == 0 || count >= 45 {
		return native{}
	}
	found := native{system: MacOS}
	for i := range count {
		at := 8 + i*size
		if at+4 > len(head) {
			break
		}
		found.machines = append(found.machines, known(machMachines[binary.BigEndian.Uint32(head[at:])])...)
	}
	slices.Sort(found.machines)
	return found
}

// peMachines are the Machine of a PE file.
var peMachines = map[uint16]string{0x14c: "win32", 0x8664: "amd64", 0xaa64: "arm64"}

func sniffPE(head []byte) native {
	if len(head) < 64 || !bytes.HasPrefix(head, []byte("MZ")) {
		return native{}
	}
	at := int64(binary.LittleEndian.Uint32(head[60:]))
	if at+6 > int64(len(head)) || !bytes.HasPrefix(head[at:], []byte("PE\x00\x00")) {
		return native{}
	}
	return native{system: Windows, machines: known(peMachines[binary.LittleEndian.Uint16(head[at+4:])])}
}
