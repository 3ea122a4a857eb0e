// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

// edit replaces a text that occurs once in a file.
type edit struct {
	// file is relative to the repository.
	file     string
	old, new string
}

// mutant is a fault that was put into the provider on purpose.
type mutant struct {
	name  string
	edits []edit
	// only is the part of the matrix that has to notice, one cell in oneIn.
	only  string
	oneIn string
}

// mutants are the five mistakes that would cost users their state, or run a job
// twice.
var mutants = []mutant{
	{
		name: "adopt by name alone",
		edits: []edit{
			{"internal/lifecycle/create.go", "	if c.Policy.Adopt {\n", "	if c.Policy.Adopt || true {\n"},
			{"internal/lifecycle/create.go", `if g.known && g.marker.Owner != "" && g.marker.Owner != e.Owner {`, `if g.known && g.marker.Owner == "nobody" {`},
		},
		only: `^create, call (1|15|20),.*at once`, oneIn: "6",
	},
	{
		name: "retry a POST blindly",
		edits: []edit{
			{"internal/client/rest/retry.go", "func isRead(method string) bool { return ", "func isRead(method string) bool { return method == http.MethodPost || "},
		},
		only: `^(create|upgrade), call \d+, (answer lost|reset mid-body|502 of a proxy, executed), applied at once with the same`, oneIn: "1",
	},
	{
		name: "reuse a trigger",
		edits: []edit{
			{"internal/lifecycle/stop.go", "request.TriggerID = StopTrigger(rec.UID, rec.Generation, k)", "request.TriggerID = StopTrigger(rec.UID, rec.Generation, min(k, 1))"},
			{"internal/lifecycle/stop.go", `if location == "" && found {`, `if location == "" && found && k == 0 {`},
		},
		only: `^upgrade whose stop fails, .*at once`, oneIn: "12",
	},
	{
		name: "reuse a job id",
		edits: []edit{
			{"internal/lifecycle/start.go", "		if used {\n", "		if used && id == \"\" {\n"},
		},
		only: `^(create|upgrade), call \d+, killed after the call, applied after a JobManager restart with the same`, oneIn: "1",
	},
	{
		name: "restore the older savepoint",
		edits: []edit{
			{"internal/lifecycle/update.go", "	return origin.Path, nil\n", "	if rec.SavepointPath != \"\" {\n\t\treturn rec.SavepointPath, nil\n\t}\n\treturn origin.Path, nil\n"},
		},
		only: `^resume, call \d+, killed after the call, applied after a JobManager restart with (the same|a changed)`, oneIn: "1",
	},
}
