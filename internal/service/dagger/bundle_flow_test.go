// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger_test

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// withBundle is a bundle of one function, and a job that uses it.
func (w *world) withBundle(body string, edits sets) string {
	all := sets{"bundle": "{ id = streaming_python_bundle.test.id, sha256 = streaming_python_bundle.test.sha256 }", "python_udf": `{ enable = true, files = ["/opt/own.py"] }`}
	maps.Copy(all, edits)
	return w.config(all) + fmt.Sprintf("resource \"streaming_python_bundle\" \"test\" {\n  name  = \"udfs\"\n  files = { \"shout.py\" = %q }\n}\n", body)
}

// copyOf is the path of a bundle's copy, by the content.
func (w *world) copyOf() (string, error) {
	keys, job, err := w.keys()
	if err != nil {
		return "", err
	}
	marker, _ := lifecycle.ParseMarker(job.UserConfig)
	if len(marker.Bundle) != 64 {
		return "", fmt.Errorf("the marker is %+v", marker)
	}
	want := regexp.MustCompile(`^\{"PYTHON_FILES":"/opt/own\.py,(/fake/flink-web-upload/bundle-job[0-9a-f]{12}-` + marker.Bundle[:32] + `\.zip)"\}$`)
	match := want.FindStringSubmatch(keys["PYTHON_UDF_CONFIG"])
	if match == nil {
		return "", fmt.Errorf("Dagger sees %v", keys)
	}
	return match[1], nil
}

// handed checks the copy that Dagger was told of, which is gone by now, and the
// bundle, of which there is one upload.
func (w *world) handed(file *string) statecheck.StateCheck {
	return acctest.Outside(func() error {
		before := *file
		var err error
		if *file, err = w.copyOf(); err != nil {
			return err
		}
		var uploads []string
		for _, jar := range w.Jars() {
			if strings.HasPrefix(jar.Name, "udfs-") {
				uploads = append(uploads, jar.Name)
			}
		}
		if copies := w.Copies(); *file == before || len(copies) > 0 || len(uploads) != 1 {
			return fmt.Errorf("after %s Dagger was told of %s; left are the copies %v and the uploads %v", before, *file, copies, uploads)
		}
		return nil
	})
}

func TestFlow_DaggerJob_ABundleReachesDaggerAsAZipArchive(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.Version("1.14.3"))
	const first, second = "def shout(s): return s", "def shout(s): return s.upper()"
	var file string
	acctest.RunFake(t,
		acctest.Fails(w.withBundle(first, sets{"python_udf": ""}), "The bundle has no effect"),
		acctest.Apply(w.withBundle(first, nil), w.handed(&file),
			acctest.Is(address, "rendered", knownvalue.StringFunc(func(text string) error {
				if !strings.Contains(text, `{"PYTHON_FILES":"/opt/own.py,(bundle).zip"}`) {
					return fmt.Errorf("it is %s", text)
				}
				return nil
			}))),
		acctest.Noop(w.withBundle(first, nil)),
		acctest.Change(w.withBundle(second, nil), address, plancheck.ResourceActionUpdate, restarted("bundle"), w.handed(&file),
			acctest.Is(address, "restored_from", knownvalue.NotNull())),
		acctest.Noop(w.withBundle(second, nil)),
		// An upload that is lost comes back, and restarts no job by itself.
		resource.TestStep{
			PreConfig: func() { w.lose(t); file = "" }, Config: w.withBundle(second, sets{"restart_trigger": `"1"`}),
			ConfigStateChecks: []statecheck.StateCheck{w.handed(&file)},
		},
	)
	if copies := w.Copies(); len(copies) > 0 {
		t.Errorf("the destroy left %v", copies)
	}
}

// lose deletes the bundle's upload behind the provider's back.
func (w *world) lose(t *testing.T) {
	t.Helper()
	transport, err := rest.New(rest.Config{Endpoint: w.URL()})
	if err != nil {
		t.Fatal(err)
	}
	for _, jar := range w.Jars() {
		if strings.HasPrefix(jar.Name, "udfs-") {
			if err := flink.New(transport).DeleteJar(t.Context(), jar.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
}
