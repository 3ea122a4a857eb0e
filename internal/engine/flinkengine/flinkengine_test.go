// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkengine

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeHome makes a home that holds the named files, empty.
func fakeHome(t *testing.T, version string, names ...string) Home {
	t.Helper()
	home := Home{Dir: t.TempDir(), Version: version}
	for _, name := range names {
		file := filepath.Join(home.Dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestUnknownVersionIsRefusedWithThoseSupported(t *testing.T) {
	t.Parallel()
	err := CheckVersion("1.9.0")
	if err == nil || !strings.Contains(err.Error(), "1.20.5, 2.3.0") {
		t.Fatalf("error %v", err)
	}
	for _, version := range Versions() {
		if err := CheckVersion(version); err != nil {
			t.Error(err)
		}
	}
}

func TestFilesOfBothKindsOfPackageFindTheirPlace(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"pyflink/lib/flink-dist-2.3.0.jar":                 "/home/lib/flink-dist-2.3.0.jar",
		"apache_flink_libraries-1.20.5/deps/opt/x.jar":     "/home/opt/x.jar",
		"pyflink/plugins/metrics-jmx/m.jar":                "/home/plugins/metrics-jmx/m.jar",
		"pyflink/licenses/LICENSE.x":                       "",
		"pyflink/version.py":                               "",
		"apache_flink_libraries-1.20.5/pyflink/README.txt": "",
		"apache_flink_libraries-2.3.0.dist-info/RECORD":    "",
		"pyflink/lib/../../../../etc/passwd":               "",
	} {
		if got := place("/home", name); filepath.ToSlash(got) != want {
			t.Errorf("place(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestFlinkDistIsLastOnTheClassPath(t *testing.T) {
	t.Parallel()
	home := fakeHome(t, "2.3.0", "lib/a.jar", "lib/flink-dist-2.3.0.jar", "lib/log4j.jar")
	var names []string
	for _, jar := range home.Libraries() {
		names = append(names, filepath.Base(jar))
	}
	if want := []string{"a.jar", "log4j.jar", "flink-dist-2.3.0.jar"}; !slices.Equal(names, want) {
		t.Fatalf("class path %v, want %v", names, want)
	}
}

func TestConfigurationHasEachKeyOnceAndTheUsersValue(t *testing.T) {
	t.Parallel()
	cluster := Cluster{
		Home: fakeHome(t, "2.3.0", "opt/flink-sql-gateway-2.3.0.jar"), RunDir: "/run dir", Port: 1, RPCPort: 2, GatewayPort: 3, Slots: 4,
		Conf: map[string]string{"taskmanager.memory.process.size": "3g", "python.executable": `/a "b"`},
	}
	lines := strings.Split(strings.TrimSuffix(cluster.render(), "\n"), "\n")
	seen := map[string]bool{}
	for _, line := range lines {
		key, _, _ := strings.Cut(line, ": ")
		if seen[key] {
			t.Errorf("key %s is there twice", key)
		}
		seen[key] = true
	}
	for _, want := range []string{
		`taskmanager.memory.process.size: "3g"`, `python.executable: "/a \"b\""`, `rest.port: "1"`, `rest.bind-address: "127.0.0.1"`,
		`jobmanager.rpc.port: "2"`, `sql-gateway.endpoint.rest.bind-port: "3"`, `taskmanager.numberOfTaskSlots: "4"`,
		`execution.checkpointing.savepoint-dir: "file:///run dir/savepoints"`, `web.upload.dir: "/run dir/upload"`,
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %s in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

func TestAVersionWithoutGatewayHasNoGatewayEndpoint(t *testing.T) {
	t.Parallel()
	cluster := Cluster{Home: fakeHome(t, "1.20.5"), GatewayPort: 8083}
	if got := cluster.GatewayEndpoint(); got != "" {
		t.Errorf("gateway endpoint %q", got)
	}
	if strings.Contains(cluster.render(), "sql-gateway") {
		t.Error("the gateway is configured")
	}
}

func TestMemoryIsReadFromTheHelpersOutput(t *testing.T) {
	t.Parallel()
	jvm, dynamic, err := parseResources("INFO  noise\n" + resultPrefix + "-Xmx1 -Xms1\n" + resultPrefix + "-D a=b -D c=d\n")
	if err != nil || !slices.Equal(jvm, []string{"-Xmx1", "-Xms1"}) || !slices.Equal(dynamic, []string{"-D", "a=b", "-D", "c=d"}) {
		t.Fatalf("%v, %v, %v", jvm, dynamic, err)
	}
	if _, _, err := parseResources("Sum of configured memory exceeds the total\n"); err == nil || !strings.Contains(err.Error(), "exceeds") {
		t.Fatalf("error %v", err)
	}
}

func TestARefusedConfigurationIsToldInOneLine(t *testing.T) {
	t.Parallel()
	out := "INFO  [] - Loading configuration property: a, b\n" +
		"Exception in thread \"main\" x.IllegalConfigurationException: too small\n\tat x.Y(Y.java:1)\n"
	if got := refusal(out, errors.New("exit status 1")); got != "x.IllegalConfigurationException: too small" {
		t.Errorf("got %q", got)
	}
	if got := refusal("no such class\n", errors.New("exit status 1")); got != "exit status 1\nno such class" {
		t.Errorf("got %q", got)
	}
}

func TestAnAnswerWithoutTaskManagerIsNotReady(t *testing.T) {
	t.Parallel()
	overview, managers := `{"taskmanagers":0,"slots-total":0,"slots-available":0}`, `{"taskmanagers":[]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := overview
		if r.URL.Path == "/taskmanagers" {
			answer = managers
		}
		_, _ = w.Write([]byte(answer))
	}))
	defer server.Close()
	fresh := func(ctx context.Context, endpoint string) error {
		return TaskManagerReady(ctx, endpoint, []string{"old"})
	}

	check := func(slots, manager bool) {
		t.Helper()
		if err := JobManagerReady(t.Context(), server.URL); err != nil {
			t.Error(err)
		}
		if err := SlotsReady(t.Context(), server.URL); (err == nil) != slots {
			t.Errorf("slots: %v", err)
		}
		if err := fresh(t.Context(), server.URL); (err == nil) != manager {
			t.Errorf("new TaskManager: %v", err)
		}
	}
	check(false, false)
	overview, managers = `{"taskmanagers":1,"slots-total":4,"slots-available":0}`, `{"taskmanagers":[{"path":"old"}]}`
	check(false, false)
	overview, managers = `{"taskmanagers":2,"slots-total":4,"slots-available":1}`, `{"taskmanagers":[{"path":"old"},{"path":"new"}]}`
	check(true, true)
}

func TestPythonIsConfiguredOnlyWhereThereIsOne(t *testing.T) {
	t.Parallel()
	cluster := Cluster{Home: fakeHome(t, "2.3.0", "opt/flink-python-2.3.0.jar")}
	if conf := cluster.render(); strings.Contains(conf, "python") {
		t.Errorf("a cluster without Python is configured for it:\n%s", conf)
	}
	cluster.Python = "/venv/bin/python"
	for _, want := range []string{
		`python.executable: "/venv/bin/python"`, `python.client.executable: "/venv/bin/python"`, `taskmanager.memory.jvm-metaspace.size: "768m"`,
	} {
		if conf := cluster.render(); !strings.Contains(conf, want+"\n") {
			t.Errorf("no line %s in\n%s", want, conf)
		}
	}
	if jar := filepath.Base(cluster.Home.PythonJar()); jar != "flink-python-2.3.0.jar" {
		t.Errorf("the jar that starts Python programs is %q", jar)
	}
	if jar := fakeHome(t, "2.3.0").PythonJar(); jar != "" {
		t.Errorf("a home without that jar names %q", jar)
	}
}

func TestEachVersionSaysWhichPythonItWorksWith(t *testing.T) {
	t.Parallel()
	for _, version := range Versions() {
		if fits := pythonReleases[version]; fits.First == 0 || fits.Last < fits.First {
			t.Errorf("Flink %s works with Python %s", version, fits)
		}
	}
}
