// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package javabuild

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Build says what a jar is made of.
type Build struct {
	// Sources hold the .java files.
	Sources []fs.FS
	// Classpath lists the jars to compile against.
	Classpath []string
	// Release is the Java version of the class files.
	Release int
	// MainClass goes into the manifest, if set.
	MainClass string
	// Bundle lists jars whose classes are put into the jar too.
	Bundle []string
}

// Jar compiles the sources and returns the jar's bytes.
func (b Build) Jar(ctx context.Context, jdk JDK) ([]byte, error) {
	work, err := os.MkdirTemp("", "streaming-javac-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := b.compile(ctx, jdk, work); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, jar := range b.Bundle {
		if err := addClasses(files, jar); err != nil {
			return nil, err
		}
	}
	classes := os.DirFS(filepath.Join(work, "classes"))
	err = fs.WalkDir(classes, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(classes, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return Pack(files, b.MainClass)
}

// Key identifies the sources, for caches.
func Key(sources ...fs.FS) (string, error) {
	hash := sha256.New()
	for _, source := range sources {
		err := fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			content, err := fs.ReadFile(source, name)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(hash, "%s\n%d\n%s", name, len(content), content)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}

func (b Build) compile(ctx context.Context, jdk JDK, work string) error {
	var sources []string
	for _, source := range b.Sources {
		if err := os.CopyFS(filepath.Join(work, "src"), source); err != nil {
			return err
		}
		err := fs.WalkDir(source, ".", func(name string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(name, ".java") {
				sources = append(sources, filepath.Join("src", filepath.FromSlash(name)))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	args := []string{
		"--release", strconv.Itoa(b.Release), "-g", "-encoding", "UTF-8", "-Xlint:-options", "-proc:none",
		"-classpath", strings.Join(b.Classpath, string(os.PathListSeparator)), "-d", "classes",
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, jdk.Javac, append(args, sources...)...)
	cmd.Dir = work
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("javac: %w\n%s", err, out.String())
	}
	return nil
}

// addClasses adds the class files of a jar, without what signs or describes it.
func addClasses(files map[string][]byte, jar string) error {
	reader, err := zip.OpenReader(jar)
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	for _, file := range reader.File {
		if !strings.HasSuffix(file.Name, ".class") || strings.HasPrefix(file.Name, "META-INF/") {
			continue
		}
		content, err := file.Open()
		if err != nil {
			return err
		}
		files[file.Name], err = io.ReadAll(content)
		_ = content.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// epoch is the time of every entry: the first that a zip file can hold.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Pack writes a jar with sorted entries, one fixed time and a manifest. The
// entries are stored as they are, so that the bytes do not depend on a version
// of a compressor.
func Pack(files map[string][]byte, mainClass string) ([]byte, error) {
	manifest := "Manifest-Version: 1.0\r\n"
	if mainClass != "" {
		manifest += "Main-Class: " + mainClass + "\r\n"
	}
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	add := func(name string, content []byte) error {
		w, err := writer.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: epoch})
		if err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	}
	// Java looks for the manifest in the first entries.
	if err := add("META-INF/MANIFEST.MF", []byte(manifest+"\r\n")); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := add(name, files[name]); err != nil {
			return nil, err
		}
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// WriteFile writes a file in one rename, so that nobody reads half of it.
func WriteFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.Write(content)
	if err := errors.Join(err, file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
