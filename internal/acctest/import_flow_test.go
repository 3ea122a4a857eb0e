// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/gatewayfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle/stateprobe"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/schemadump/schemajson"
)

const (
	importOwner = "team-a/test"
	// importProgram is a program that the fake knows.
	importProgram = "streaming.jobs.Counter"
)

// imported is a row of the table below: a resource that is made, forgotten, and
// imported again.
type imported struct {
	// config is the block of TYPE.test, and beside is what it needs.
	config, beside string
	// id and identity are what it is imported by, from its attributes.
	id       func(values map[string]any) string
	identity func(values map[string]any) map[string]any
	// takenOver is true where an import knows less than the configuration, so that
	// the plan is an update that touches nothing; else the plan is empty.
	takenOver bool
	// generated is what the generated configuration has to hold, and untold names
	// the attributes that the plan says cannot be read.
	generated, untold []string
}

func text(values map[string]any, name string) string {
	value, _ := values[name].(string)
	return value
}

func by(name string) func(map[string]any) string {
	return func(values map[string]any) string { return text(values, name) }
}

func identityOf(names ...string) func(map[string]any) map[string]any {
	return func(values map[string]any) map[string]any {
		identity := map[string]any{}
		for _, name := range names {
			identity[name] = values[name]
		}
		return identity
	}
}

// importedJob is the row of a job with these attributes. What a job of this
// provider was started from can be read.
func importedJob(attributes, beside string, untold ...string) imported {
	row := imported{
		config: "  name = \"clicks\"\n  on_destroy = \"cancel\"\n  parallelism = 2\n" + attributes, beside: beside,
		id: by("job_id"), takenOver: true, untold: untold, generated: []string{"name = \"clicks\""},
		identity: func(values map[string]any) map[string]any {
			return map[string]any{"owner": importOwner, "name": values["name"]}
		},
	}
	switch {
	case strings.Contains(attributes, "rowtime_attribute_name"):
		// What stands for Dagger here registers parameters of its own, and hides what the job says of itself.
	case beside == importedBundle:
		row.generated = append(row.generated, "parallelism = 2", "bundle = {")
	case strings.Contains(attributes, importedJar):
		row.generated = append(row.generated, "parallelism = 2", "jar = {")
	default:
		row.generated = append(row.generated, "parallelism = 2")
	}
	return row
}

const importedBundle = `
resource "streaming_python_bundle" "code" {
  name  = "code"
  files = { "clicks.py" = "x = 1" }
}
`

const importedJar = "  jar = { source = \"${path.module}/app.jar\" }\n  entry_class = \"" + importProgram + "\"\n"

// importedResources has each resource of the provider.
func importedResources() map[string]imported {
	return map[string]imported{
		"streaming_pravega_scope": {
			config: "  name = \"orders\"\n", id: by("name"), identity: identityOf("name"),
		},
		"streaming_pravega_stream": {
			config: `  scope = streaming_pravega_scope.parent.name
  name  = "clicks"
  scaling   = { type = "BY_RATE_IN_EVENTS_PER_SEC", target_rate = 1000, scale_factor = 2, min_segments = 2 }
  retention = { time = "7d" }
  tags      = ["pii"]
  timestamp_aggregation_timeout = "5 s"
`,
			beside: "resource \"streaming_pravega_scope\" \"parent\" {\n  name = \"orders\"\n}\n",
			id:     by("id"), identity: identityOf("scope", "name"),
		},
		"streaming_flink_jar": {
			config: "  source = \"${path.module}/app.jar\"\n", id: by("id"), identity: identityOf("id"), takenOver: true, untold: []string{"source", "url"},
		},
		"streaming_python_bundle": {
			config: "  name = \"udfs\"\n  files = { \"a.py\" = \"x = 1\", \"requirements.txt\" = \"six==1.17.0\" }\n  requirements_file = \"requirements.txt\"\n",
			id:     by("id"), identity: identityOf("id"), takenOver: true, untold: []string{"source_dir", "files"}, generated: []string{"name = \"udfs\""},
		},
		"streaming_flink_savepoint": {
			config: "  job_id = streaming_flink_job.parent.job_id\n  trigger = \"1\"\n",
			beside: "resource \"streaming_flink_job\" \"parent\" {\n  name = \"parent\"\n  on_destroy = \"cancel\"\n" + importedJar + "}\n",
			id:     by("path"), identity: identityOf("path"), takenOver: true, untold: []string{"trigger"},
		},
		"streaming_flink_job":        importedJob(importedJar+"  args = [\"--plain\"]\n  configuration = { \"execution.checkpointing.interval\" = \"10 s\" }\n", "", "entry_class", "args", "configuration"),
		"streaming_flink_python_job": importedJob("  jar = { source = \"${path.module}/flink-python.jar\" }\n  module = \"clicks\"\n  bundle = { id = streaming_python_bundle.code.id, sha256 = streaming_python_bundle.code.sha256 }\n", importedBundle, "module", "args"),
		"streaming_flink_sql_job": importedJob(`  setup_statements = [
    "CREATE TABLE clicks (id BIGINT) WITH ('connector' = 'datagen')",
    "CREATE TABLE pages (id BIGINT) WITH ('connector' = 'print')",
  ]
  statement = "INSERT INTO pages SELECT id FROM clicks"
`, "", "statement", "setup_statements"),
		"streaming_groot_job":      importedJob(importedJar+"  args = [\"--plain\"]\n  sections = yamlencode({ sources = { clicks = { type = \"kafka\" } }, sinks = { out = { type = \"print\" } } })\n", "", "sections"),
		"streaming_streampark_job": importedJob(importedJar+"  sql = \"INSERT INTO a SELECT * FROM b\"\n  checkpoint = { interval = \"30 s\" }\n", "", "sql"),
		"streaming_dagger_job": importedJob(importedJar+`  streams = [{
    input_schema_table                       = "orders"
    input_schema_proto_class                 = "com.example.Order"
    input_schema_event_timestamp_field_index = 4
    source_kafka_topic_names                 = ["orders"]
    source_kafka_bootstrap_servers           = ["kafka-1.example.com:9093"]
    source_kafka_group_id                    = "orders"
  }]
  rowtime_attribute_name = "rowtime"
  sql_query = "SELECT * FROM orders"
  sink_type = "log"
`, "", "streams", "sql_query"),
	}
}

// A resource of the provider without a row has no proof that it can be imported.
func TestImports_EveryResourceHasARow(t *testing.T) {
	t.Parallel()
	server, err := acctest.Factories()["streaming"]()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := schemajson.Read(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	if rows, kinds := slices.Sorted(maps.Keys(importedResources())), slices.Sorted(maps.Keys(schema.ResourceSchemas)); !slices.Equal(rows, kinds) {
		t.Errorf("the rows are %q, the resources %q", rows, kinds)
	}
	for kind := range schema.ResourceSchemas {
		if schema.ResourceIdentitySchemas[kind] == nil {
			t.Errorf("%s has no identity", kind)
		}
		for _, file := range []string{"import.sh", identityFile} {
			if _, err := os.Stat(filepath.Join(repository(t), "examples", "resources", kind, file)); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
		}
	}
}

// Each resource is made and forgotten, and then imported by id, by identity and
// with a configuration that Terraform writes. The plan is empty or takes over,
// its apply starts and stops nothing, and the plan after it is empty.
func TestFlow_Import_EveryResourceIsTakenOver(t *testing.T) {
	t.Parallel()
	u := newUser(t, repository(t))
	for kind, row := range importedResources() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newImporting(t, u, kind, row)
			w.create(t)
			t.Run("id", func(t *testing.T) { w.beside(t, w.byID()) })
			t.Run("identity", w.identified)
			t.Run("generated", w.generate)
		})
	}
}

// importing is one resource with engines of its own.
type importing struct {
	imported
	user

	kind, dir string
	gateway   *gatewayfake.Server
	// values are the attributes that it was made with.
	values map[string]any
}

func newImporting(t *testing.T, u *user, kind string, row imported) *importing {
	t.Helper()
	flink := flinkfake.New()
	t.Cleanup(flink.Close)
	gateway := gatewayfake.New(flink)
	t.Cleanup(gateway.Close)
	pravega := pravegafake.New()
	t.Cleanup(pravega.Close)
	w := &importing{imported: row, kind: kind, dir: t.TempDir(), gateway: gateway, user: user{program: u.program, flink: flink, pravega: pravega}}
	w.env = append(slices.Clone(u.env), "STREAMING_OWNER="+importOwner, "STREAMING_FLINK_ENDPOINT="+flink.URL(),
		"STREAMING_SQL_GATEWAY_ENDPOINT="+gateway.URL(), "STREAMING_PRAVEGA_ENDPOINT="+pravega.URL())
	write(t, filepath.Join(w.dir, "app.jar"), flinkfake.Jar(importProgram))
	write(t, filepath.Join(w.dir, "flink-python.jar"), flinkfake.Jar("org.apache.flink.client.python.PythonDriver"))
	write(t, filepath.Join(w.dir, "provider.tf"), []byte(emptyProvider))
	write(t, filepath.Join(w.dir, "beside.tf"), []byte(row.beside))
	return w
}

func (w *importing) address() string { return w.kind + ".test" }

func (w *importing) block() []byte {
	return []byte(fmt.Sprintf("resource %q \"test\" {\n%s}\n", w.kind, w.config))
}

// file writes a file of the configuration, or removes it.
func (w *importing) file(t *testing.T, name string, content []byte) {
	t.Helper()
	if content != nil {
		write(t, filepath.Join(w.dir, name), content)
	} else if err := os.RemoveAll(filepath.Join(w.dir, name)); err != nil {
		t.Fatal(err)
	}
}

// create applies the configuration, and looks at what it made.
func (w *importing) create(t *testing.T) {
	t.Helper()
	w.file(t, "main.tf", w.block())
	w.terraform(t, w.dir, "apply", "-no-color", "-input=false", "-auto-approve")
	var state tfjson.State
	if err := json.Unmarshal([]byte(w.terraform(t, w.dir, "show", "-json")), &state); err != nil {
		t.Fatal(err)
	}
	for _, one := range state.Values.RootModule.Resources {
		if one.Address == w.address() {
			w.values = one.AttributeValues
		}
	}
	w.empty(t)
}

// byID is an import block.
func (w *importing) byID() string {
	return fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", w.address(), w.id(w.values))
}

// byIdentity is one with an identity.
func (w *importing) byIdentity() string {
	var b strings.Builder
	fmt.Fprintf(&b, "import {\n  to = %s\n  identity = {\n", w.address())
	for name, value := range w.identity(w.values) {
		fmt.Fprintf(&b, "    %s = %q\n", name, value)
	}
	b.WriteString("  }\n}\n")
	return b.String()
}

// beside imports what is forgotten beside its configuration.
func (w *importing) beside(t *testing.T, block string) {
	t.Helper()
	w.forget(t)
	w.file(t, "main.tf", w.block())
	w.file(t, "import.tf", []byte(block))
	w.takeOver(t)
}

// identified imports by identity: through Terraform where it knows identities,
// and in any case as it would ask the provider, whose answer is the same as to the id.
func (w *importing) identified(t *testing.T) {
	p := acctest.NewProtocol(t, w.settings())
	byID, byIdentity := p.Import(t, w.kind, w.id(w.values), nil), p.Import(t, w.kind, "", w.identity(w.values))
	if byID != byIdentity {
		t.Errorf("by id\n%+v\nby identity\n%+v", byID, byIdentity)
	}
	if w.knows(t, "1.12.0") {
		w.beside(t, w.byIdentity())
	}
}

// generate imports with a configuration that Terraform writes.
func (w *importing) generate(t *testing.T) {
	w.forget(t)
	w.file(t, "main.tf", nil)
	w.file(t, "import.tf", []byte(w.byID()))
	w.file(t, "generated.tf", nil)
	output := w.terraform(t, w.dir, "plan", "-no-color", "-input=false", "-generate-config-out=generated.tf")
	w.terraform(t, w.dir, "validate", "-no-color")
	// Terraform itself cannot apply a plan that wrote a configuration and updates.
	w.takeOver(t)
	content, err := os.ReadFile(filepath.Join(w.dir, "generated.tf"))
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range w.generated {
		if !acctest.InOrder(words).Match(content) {
			t.Errorf("%q is not in what was generated:\n%s", words, content)
		}
	}
	if strings.Contains(string(content), "adopt_existing  = true") {
		w.complete(t)
	}
	for _, attribute := range w.untold {
		if !acctest.InOrder("cannot be read", attribute).MatchString(output) {
			t.Errorf("that %s cannot be read is not said:\n%s", attribute, output)
		}
	}
}

// complete configures what the generated configuration lacks, which is taken over too.
func (w *importing) complete(t *testing.T) {
	t.Helper()
	w.file(t, "generated.tf", nil)
	w.file(t, "main.tf", w.block())
	w.terraform(t, w.dir, "apply", "-no-color", "-input=false", "-auto-approve")
	w.untouched(t)
	w.empty(t)
}

// forget removes the resource from the state alone.
func (w *importing) forget(t *testing.T) {
	t.Helper()
	w.terraform(t, w.dir, "state", "rm", w.address())
	w.flink.ForgetRequests()
	w.gateway.Forget()
	w.pravega.Forget()
}

// takeOver plans and applies, and wants that nothing is started or stopped.
func (w *importing) takeOver(t *testing.T) {
	t.Helper()
	w.terraform(t, w.dir, "plan", "-no-color", "-input=false", "-out=tfplan")
	w.planned(t)
	w.terraform(t, w.dir, "apply", "-no-color", "-input=false", "tfplan")
	w.untouched(t)
	w.file(t, "import.tf", nil)
	w.empty(t)
}

// untouched wants that nothing was called since it was forgotten.
func (w *importing) untouched(t *testing.T) {
	t.Helper()
	for _, call := range w.acting() {
		t.Errorf("the import called %s", call)
	}
}

// planned wants a plan that imports, and changes nothing but what the state knows.
func (w *importing) planned(t *testing.T) {
	t.Helper()
	var plan tfjson.Plan
	if err := json.Unmarshal([]byte(w.terraform(t, w.dir, "show", "-json", "tfplan")), &plan); err != nil {
		t.Fatal(err)
	}
	for _, change := range plan.ResourceChanges {
		actions := change.Change.Actions
		switch ours := change.Address == w.address(); {
		case ours && change.Change.Importing == nil:
			t.Errorf("%s is not imported", change.Address)
		case ours && w.takenOver && actions.Update(), actions.NoOp():
		default:
			t.Errorf("%s is planned: %v", change.Address, actions)
		}
	}
}

// empty wants an empty plan.
func (w *importing) empty(t *testing.T) {
	t.Helper()
	output, err := w.try(t, w.dir, "plan", "-no-color", "-input=false", "-detailed-exitcode")
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 2:
		t.Errorf("the plan is not empty:\n%s", output)
	case err != nil:
		t.Fatalf("%v\n%s", err, output)
	}
}

// settings are those of the environment as a configuration.
func (w *importing) settings() map[string]any {
	return map[string]any{
		"owner": importOwner, "flink": map[string]any{"endpoint": w.flink.URL()}, "pravega": map[string]any{"endpoint": w.pravega.URL()},
	}
}

// acting are the calls that start, stop or change anything. A plan of Flink's and
// the provider's own look at the file system of the cluster do not.
func (w *importing) acting() []string {
	var calls []string
	for _, request := range w.flink.Requests() {
		looks := request.Method == "GET" || strings.Contains(request.Path, "/plan") || strings.Contains(request.Body, stateprobe.FilePrefix)
		if !looks && !strings.Contains(request.Path, stateprobe.FilePrefix) {
			calls = append(calls, request.Method+" "+request.Path)
		}
	}
	for _, request := range append(w.gateway.Requests(), w.pravega.Requests()...) {
		if request.Method != "GET" {
			calls = append(calls, request.Method+" "+request.Path)
		}
	}
	return calls
}
