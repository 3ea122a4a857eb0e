// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlgateway_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/sqlgateway"
)

// failing is a gateway on which each statement ends with a recorded answer of a
// real Flink 2.3.0, without most of its frames.
func failing(t *testing.T, name string) *sqlgateway.Session {
	t.Helper()
	recorded, err := os.ReadFile(filepath.Join("testdata", "answers", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	reply := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api_versions", reply(http.StatusOK, `{"versions":["V1","V2"]}`))
	mux.HandleFunc("POST /v2/sessions", reply(http.StatusOK, `{"sessionHandle":"s"}`))
	mux.HandleFunc("DELETE /v2/sessions/s", reply(http.StatusOK, `{"status":"CLOSED"}`))
	mux.HandleFunc("POST /v2/sessions/s/statements", reply(http.StatusOK, `{"operationHandle":"o"}`))
	mux.HandleFunc("GET /v2/sessions/s/operations/o/status", reply(http.StatusOK, `{"status":"ERROR"}`))
	mux.HandleFunc("GET /v2/sessions/s/operations/o/result/0", reply(http.StatusInternalServerError, string(recorded)))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return open(t, clientOf(t, server.URL))
}

func clientOf(t *testing.T, endpoint string) *sqlgateway.Client {
	t.Helper()
	transport, err := rest.New(rest.Config{Endpoint: endpoint, Retry: rest.Retry{MinWait: time.Millisecond, MaxWait: 5 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	return sqlgateway.New(transport)
}

func open(t *testing.T, client *sqlgateway.Client) *sqlgateway.Session {
	t.Helper()
	session, err := client.OpenSession(t.Context(), sqlgateway.SessionRequest{Name: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(context.WithoutCancel(t.Context())) })
	return session
}

func TestARealAnswerBecomesOneLineOfRootCause(t *testing.T) {
	t.Parallel()
	wanted := map[string]string{
		"bad_set":                   `Could not parse value 'abc' for key 'parallelism.default': NumberFormatException: For input string: "abc"`,
		"catalog_exists":            "Catalog c already exists.",
		"database_exists":           "Database d already exists in Catalog default_catalog.",
		"duplicate_job":             "Application has already been submitted.",
		"empty_statement":           `Encountered ";" at line 1, column 1.`,
		"function_exists":           "Function default_database.ff already exists in Catalog default_catalog.",
		"lexical_error":             `Lexical error at line 1, column 8. Encountered: "#" (35), after : ""`,
		"malformed_job_id":          `Cannot parse JobID from "xx". The expected format is [0-9a-fA-F]{32}, e.g. fd72014d4c864993a2e5a9287b4a9c5d: NumberFormatException: For input string: "xx" under radix 16`,
		"missing_jar":               "jar or artifact resource [/var/nope.jar] not found.",
		"missing_python_module":     "ModuleNotFoundError: No module named 'nowhere'",
		"missing_savepoint":         "Cannot find checkpoint or savepoint file/directory 'file:///var/nope' on file system 'file'.",
		"missing_table_dropped":     "Table with identifier 'default_catalog.default_database.nope' does not exist.",
		"parallelism_zero":          "Parallelism must be at least one, or ExecutionConfig.PARALLELISM_DEFAULT (use system default).",
		"syntax_error":              "Non-query expression encountered in illegal context",
		"syntax_error_in_options":   `Encountered "=" at line 1, column 66.`,
		"table_exists":              "Table (or view) default_database.src already exists in Catalog default_catalog.",
		"temporary_function_exists": "Could not register temporary catalog function. A function 'default_catalog.default_database.f' does already exist.",
		"temporary_table_exists":    "Temporary table '`default_catalog`.`default_database`.`tt`' already exists",
		"two_statements":            "only single statement supported",
		"type_mismatch":             "Column types of query result and sink for 'default_catalog.default_database.snk' do not match. Cause: Incompatible types for sink column 'id' at position 1.",
		"unknown_catalog":           "A catalog with name [nope] does not exist.",
		"unknown_class":             "Could not register temporary catalog function 'default_catalog.default_database.g' due to implementation errors: ClassNotFoundException: x.Y",
		"unknown_column":            "From line 1, column 24 to line 1, column 27: Column 'nope' not found in any table",
		"unknown_connector":         "Could not find any factory for identifier 'nope' that implements 'org.apache.flink.table.factories.DynamicTableFactory' in the classpath.",
		"unknown_function":          "From line 1, column 24 to line 1, column 33: No match found for function signature nofunc(<NUMERIC>)",
		"unknown_restart_strategy":  "bogus is an unknown value of RestartStrategyType.",
		"unknown_sink":              "Cannot find table '`default_catalog`.`default_database`.`nosuch`' in any of the catalogs [c, default_catalog], nor as a temporary table.",
		"unknown_source":            "From line 1, column 32 to line 1, column 37: Object 'nosuch' not found",
		"unparsable_interval":       "Could not parse value 'abc' for key 'execution.checkpointing.interval': NumberFormatException: text does not start with a number, and is not a valid ISO-8601 duration format: abc",
		"unsupported":               "Unsupported SQL query!",
	}
	for name, want := range wanted {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := failing(t, name)
			_, err := session.Run(t.Context(), sqlgateway.Statement{SQL: "SELECT 1", Number: 3, Line: 12})
			if got := fmt.Sprint(err); got != "statement 3 (line 12): "+want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if sqlgateway.OutcomeUnknown(err) {
				t.Error("the gateway said how it ended, but the outcome counts as unknown")
			}
			if exists := strings.HasSuffix(name, "_exists"); sqlgateway.IsAlreadyExists(err) != exists {
				t.Errorf("already exists is told as %v", !exists)
			}
			if duplicate := name == "duplicate_job"; sqlgateway.IsDuplicate(err) != duplicate {
				t.Errorf("a duplicate is told as %v", !duplicate)
			}
		})
	}
	files, err := filepath.Glob(filepath.Join("testdata", "answers", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	// Those that are no statement's are in the tests of what they belong to.
	const others = 7
	if len(files) != len(wanted)+others {
		t.Errorf("%d recorded answers, but %d expectations", len(files), len(wanted)+others)
	}
}

func TestASessionThatIsGoneIsToldByItsText(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"unknown_session", "unknown_session_of_operation", "unknown_session_of_result"} {
		_, err := failing(t, name).Run(t.Context(), sqlgateway.Statement{SQL: "SELECT 1", Number: 1})
		if !sqlgateway.IsSessionGone(err) || !strings.Contains(fmt.Sprint(err), "does not know the session any more") {
			t.Errorf("%s: error %v", name, err)
		}
		// The statement was taken, and nobody knows what became of it.
		if !sqlgateway.OutcomeUnknown(err) {
			t.Errorf("%s: the outcome counts as known", name)
		}
	}
	for _, name := range []string{"unknown_operation", "malformed_session", "finished_operation_canceled", "unknown_source"} {
		_, err := failing(t, name).Run(t.Context(), sqlgateway.Statement{SQL: "SELECT 1", Number: 1})
		if sqlgateway.IsSessionGone(err) {
			t.Errorf("%s counts as a session that is gone", name)
		}
		if gone := name == "unknown_operation"; sqlgateway.IsOperationGone(err) != gone {
			t.Errorf("%s: an operation that is gone is told as %v", name, !gone)
		}
	}
}

func TestNoSecretOfAStatementIsInItsError(t *testing.T) {
	t.Parallel()
	session := failing(t, "secrets")
	statement := sqlgateway.Statement{
		SQL:    "CREATE TABLE x (a INT) WITH ('connector'='jdbc', 'db.Password' = 'it''s-geheim', 'url'='jdbc:x://u:geheim-2@host/db')",
		Config: map[string]string{"s3.secret-key": "geheim-3"}, Number: 1,
	}
	_, err := session.Run(t.Context(), statement)
	const want = "statement 1: Bad: 'db.Password' = '***', ***, jdbc:x://u:***@host/db, ***, 'api-token'='***'"
	if got := fmt.Sprint(err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
