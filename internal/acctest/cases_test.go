// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// cases are faults of other tools that users have reported, each under the
// number that the names of its tests carry.
var cases = map[string]string{
	"C01": "a job is lost when its JobManager restarts",
	"C02": "a job runs again under another id",
	"C03": "a submission without an answer is sent twice",
	"C05": "a job that is starting, failing or restarting is taken for gone",
	"C06": "a failed job is still shown as running",
	"C07": "a job that came to its own end is started for ever",
	"C09": "a job that was stopped or cancelled by hand fails the next apply",
	"C10": "a delete hangs on what it does not know of",
	"C11": "a destroy hangs on a savepoint that cannot be taken",
	"C13": "a savepoint is thrown away when the stop after it fails",
	"C14": "where a savepoint is gets lost after the stop",
	"C15": "a savepoint that is slower than the client is taken for failed",
	"C17": "a job that does not run is upgraded without its state",
	"C19": "a savepoint path in the wrong place starts a job from nothing",
	"C20": "state that fits no operator, and the flag that drops it",
	"C21": "the savepoint of a suspended job is forgotten by a new version",
	"C22": "a failed upgrade leaves nothing running",
	"C23": "an upgrade that was killed half-way is begun again",
	"C25": "a change replaces a job, and its savepoints go with it",
	"C26": "a change is planned, and not made",
	"C27": "a JobManager loses its uploaded jars",
	"C29": "equal jars are uploaded until the disk is full",
	"C31": "new content under an old path is not noticed",
	"C32": "an upload is too large for a proxy",
	"C33": "arguments are quoted, split or put into another order",
	"C35": "the path of an endpoint is dropped, or its slash doubled",
	"C36": "credentials do not arrive, or arrive somewhere else",
	"C38": "private authorities, client certificates and proxies",
	"C39": "503 while a JobManager starts",
	"C40": "an endpoint that does not answer, or is not Flink, looks like drift",
	"C41": "an empty id in a path",
	"C43": "a provider whose configuration is not known yet asks localhost, or fails",
	"C44": "JSON in another spelling is a change",
	"C45": "a duration in another spelling is a change",
	"C46": "a line end behind a text of SQL restarts a job",
	"C47": "a null and an empty collection differ",
	"C48": "what the server sets by itself is shown as drift",
	"C50": "a file is hashed at plan, and another one applied",
	"C54": "fewer segments lose data, or make a plan that cannot be applied",
	"C55": "what the plan made is missing at apply, on another machine",
	"C56": "another machine makes another archive of the same files",
	"C58": "a path of the machine is kept, and is another one in the next run",
	"C59": "links are followed for ever, or take their neighbours with them",
	"C61": "native code for another platform is found when the job runs",
	"C62": "an archive that cannot be imported is found when the job runs",
	"C64": "a requirements file that is not there, or says nothing definite",
	"C66": "large, special or vanishing files",
	"C67": "files of one name shadow each other",
	"C68": "the gateway has forgotten the session",
	"C70": "why a statement failed is swallowed, or a page of Java",
	"C71": "a scope that looks empty cannot be deleted",
	"C73": "an update clears what it does not repeat",
	"C74": "what was read cannot be written back as it is",
	"C75": "retention is rounded, to nothing in the worst case",
	"C78": "what exists already is taken over, or the same name cannot be used again",
	"C79": "errors without a word",
	"C81": "a console takes a job for failed that runs, and starts it again",
	"C82": "a console has states that nobody knows",
	"C83": "https behind an ingress is asked for by http",
	"C85": "a console tells no id of what it made",
	"C87": "retention ends before the savepoint that a job is to start from",
}

func TestCases_EachHasATestWithItsNumber(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	number := regexp.MustCompile(`_(C[0-9]{2})`)
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			test, ok := declared.(*ast.FuncDecl)
			if !ok || test.Recv != nil || !strings.HasPrefix(test.Name.Name, "Test") {
				continue
			}
			for _, match := range number.FindAllStringSubmatch(test.Name.Name, -1) {
				tested[match[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range slices.Sorted(maps.Keys(cases)) {
		if !tested[one] {
			t.Errorf("no test is named after %s: %s", one, cases[one])
		}
	}
}
