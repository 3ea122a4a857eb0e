// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// made are the platforms of a file, by its content, else by its name.
func (f *File) made() []Platform {
	if found := f.native.platforms(); found != nil {
		return found
	}
	return named(path.Base(f.Path))
}

// foreign is what was found for another platform: files by the platform.
type foreign struct {
	order []string
	files map[string][]string
}

func (f *foreign) add(made []Platform, file string) {
	names := make([]string, 0, len(made))
	for _, p := range made {
		names = append(names, p.String())
	}
	key := strings.Join(slices.Compact(names), " and ")
	if f.files == nil {
		f.files = map[string][]string{}
	}
	if f.files[key] == nil {
		f.order = append(f.order, key)
	}
	f.files[key] = append(f.files[key], file)
}

func (f *foreign) report(c *checks, severity Severity, target, detail string) {
	for _, platform := range f.order {
		files := f.files[platform]
		c.add(severity, files[0], fmt.Sprintf("%s is made for %s, and the job runs on %s", files[0], platform, target),
			fmt.Sprintf("%s Found for %s: %s.", detail, platform, listed(files)))
	}
}

// modules checks native modules. A package may carry one for each platform;
// then one that suits is enough.
func (c *checks) modules(target Platform, tag string) {
	suited := map[string]bool{}
	key := func(name string) string {
		base, _, _ := strings.Cut(path.Base(name), ".")
		return path.Join(path.Dir(name), base)
	}
	var wrong []*File
	for i := range c.Files {
		file := &c.Files[i]
		if !isModule(file.Path) {
			continue
		}
		if made := file.made(); len(made) == 0 || target.runsAny(made) {
			suited[key(file.Path)] = true
		} else {
			wrong = append(wrong, file)
		}
	}
	var found foreign
	for _, file := range wrong {
		if !suited[key(file.Path)] {
			found.add(file.made(), file.Path)
		}
	}
	found.report(c, Refused, tag, "Its import fails there. Take the build for the job's platform, leave it out with an exclude, or correct target_platform.")
}

// wheels checks the names of wheels, of which one for each release is enough.
func (c *checks) wheels(target Platform, tag string) {
	suited := map[string]bool{}
	release := func(name string) string {
		parts := strings.SplitN(path.Base(name), "-", 3)
		return strings.ToLower(strings.Join(parts[:min(2, len(parts))], "-"))
	}
	var wrong []string
	for _, file := range c.Files {
		if !strings.HasSuffix(file.Path, ".whl") {
			continue
		}
		if made := wheelPlatforms(path.Base(file.Path)); len(made) == 0 || target.runsAny(made) {
			suited[release(file.Path)] = true
		} else {
			wrong = append(wrong, file.Path)
		}
	}
	var found foreign
	for _, name := range wrong {
		if !suited[release(name)] {
			found.add(wheelPlatforms(path.Base(name)), name)
		}
	}
	found.report(c, Refused, tag, "pip does not install it there. Download it for the job's platform (pip download --platform), leave it out with an exclude, or correct target_platform.")
}

// otherCode checks programs and libraries, which may be there for other users
// of a package.
func (c *checks) otherCode(target Platform, tag string) {
	var found foreign
	for i := range c.Files {
		file := &c.Files[i]
		if isModule(file.Path) || strings.HasSuffix(file.Path, ".whl") {
			continue
		}
		if made := file.made(); len(made) > 0 && !target.runsAny(made) {
			found.add(made, file.Path)
		}
	}
	found.report(c, Risk, tag, "It does not run there. If the job needs it, take the build for the job's platform; if not, an exclude makes the bundle smaller.")
}
