// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"errors"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// knownProblems maps what Flink writes in a trace to the attribute that the
// user has to change. The first one that fits is taken.
var knownProblems = []struct {
	text    string
	problem Problem
	summary string
	advice  string
}{
	{
		"Cannot map checkpoint/savepoint state", ProblemState, "the state does not fit the program",
		"An operator that has state in the savepoint is not in the new program. Give operators fixed uids, or set upgrade.allow_non_restored_state = true to drop that state.",
	},
	{
		"max parallelism", ProblemState, "the state does not fit the maximum parallelism",
		"The maximum parallelism of state cannot be changed. Set max_parallelism back to what the savepoint was taken with.",
	},
	{
		"NoResourceAvailableException", ProblemSlots, "the cluster has too few free slots",
		"Lower parallelism, or add TaskManagers or slots to the cluster.",
	},
	{
		"Cannot find checkpoint or savepoint file/directory", ProblemRestore, "there is no savepoint to restore from",
		"Set restore_from (and restore_trigger) to a savepoint or checkpoint that exists.",
	},
	{
		"Cannot find meta data file", ProblemRestore, "there is no savepoint right in the directory to restore from",
		"Set restore_from to the savepoint or checkpoint itself, such as <directory>/savepoint-1a2b3c-4d5e6f7a8b9c.",
	},
	{"Failed to restore from", ProblemRestore, "the savepoint cannot be read", ""},
	{
		"Neither a 'Main-Class', nor a 'program-class' entry", ProblemEntryClass, "the jar names no entry class",
		"Set entry_class to the class with the main method.",
	},
	{"was not found in the jar file", ProblemEntryClass, "the entry class is not in the jar", "Set entry_class to a class of this jar, with its package."},
	{"has no main(String[])", ProblemEntryClass, "the entry class has no main method", "Set entry_class to the class with the main method."},
	{"No jobs included in application", ProblemMain, "the program started no job", "Its main() must call execute() once."},
	{"does not contain any jobs", ProblemMain, "the program started no job", "Its main() must call execute() once."},
	{"Could not parse value", ProblemConfiguration, "a value in configuration is not valid", ""},
	{"is an unknown value of", ProblemConfiguration, "a value in configuration is not valid", ""},
	{"Error while opening jar file", ProblemJar, "the jar cannot be read", "Build it again and check that it is a jar file."},
	{"error in opening zip file", ProblemJar, "the jar is not a jar file", "Build it again and check that source is a jar file."},
	{"zip END header not found", ProblemJar, "the jar is not a jar file", "Build it again and check that source is a jar file."},
	{"zip file is empty", ProblemJar, "the jar file is empty", "Build it again and check that source is a jar file."},
	{"Cannot have more than one execute()", ProblemTwoJobs, "the program calls execute() more than once", oneExecute},
	{"The main method caused an error", ProblemMain, "the program's main() failed", "Nothing was started. Check args and configuration, or the program."},
}

// oneExecute is what to do about a program with several jobs.
const oneExecute = "A job resource is one Flink job. Let main() build one graph and call execute() once; " +
	"a program with several jobs needs one resource and one entry class for each."

func classify(text string, err error) *Error {
	for _, known := range knownProblems {
		if strings.Contains(text, known.text) {
			return &Error{Problem: known.problem, Summary: known.summary, Advice: known.advice, Err: err}
		}
	}
	return nil
}

// submitProblem words the refusal of a submission, unless the program has done
// so, which knows more.
func submitProblem(err error) error {
	var answer *rest.Error
	if _, worded := errors.AsType[*Error](err); worded || !errors.As(err, &answer) {
		return err
	}
	if known := classify(answer.Text, err); known != nil {
		return known
	}
	return &Error{Summary: "Flink refused the job", Err: err}
}

// startProblem words the failure of a job that was submitted.
func startProblem(err error) error {
	var failed *failure
	if errors.As(err, &failed) {
		if known := classify(failed.trace, err); known != nil {
			return known
		}
	}
	var again *restarting
	if errors.As(err, &failed) || errors.As(err, &again) {
		return &Error{Summary: "the job failed when it started", Err: err, Advice: "Look at the job's exceptions in Flink's web UI, and at the TaskManager's log."}
	}
	return err
}
