// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/sqlgateway"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
)

// SQLProgram is a pipeline in SQL, and what prepares its session of the SQL
// gateway. The session is no identity: the job's id is, as for every program.
type SQLProgram struct {
	Gateway *sqlgateway.Client
	// Name is what the gateway's log calls the session.
	Name string
	// Setup runs before the pipeline, one statement after the other.
	Setup    []sqlscript.Statement
	Pipeline sqlscript.Statement
	// Script is true when all statements are of one text.
	Script bool
	// Properties are Flink's settings for the whole session.
	Properties map[string]string

	session *sqlgateway.Session
	// version is the gateway's of Flink.
	version string
}

// Fingerprint lists the statements as Flink reads them, without the values of
// options that are secrets.
func (p *SQLProgram) Fingerprint() []string {
	parts := []string{"sql"}
	for _, statement := range append(slices.Clone(p.Setup), p.Pipeline) {
		parts = append(parts, optionInSQL.ReplaceAllStringFunc(statement.Normal(), func(text string) string {
			match := optionInSQL.FindStringSubmatch(text)
			if SecretKey(match[1]) {
				return "'" + match[1] + "' = (secret)"
			}
			return text
		}))
	}
	return parts
}

// optionInSQL is an option of a table, or a setting, in a normal form.
var optionInSQL = regexp.MustCompile(`'((?:[^']|'')*)' = '(?:[^']|'')*'`)

// JarSHA256 is empty: nothing is uploaded.
func (p *SQLProgram) JarSHA256() string { return "" }

// Discard ends the session.
func (p *SQLProgram) Discard(ctx context.Context) error { return p.Close(ctx) }

// Close ends the session, if there is one. The job goes on.
func (p *SQLProgram) Close(ctx context.Context) error {
	if p.session == nil {
		return nil
	}
	session := p.session
	p.session = nil
	return session.Close(context.WithoutCancel(ctx))
}

// Prepare opens a session and prepares it, all that an earlier job need not
// stand still for.
func (p *SQLProgram) Prepare(ctx context.Context) (bool, error) {
	if p.session != nil && p.session.Gone() == nil {
		return false, nil
	}
	info, err := p.Gateway.Info(ctx)
	if err != nil {
		return false, err
	}
	session, err := p.Gateway.OpenSession(ctx, sqlgateway.SessionRequest{Name: p.Name, Properties: p.Properties})
	if err != nil {
		return false, err
	}
	for i, statement := range p.Setup {
		if _, err := session.Run(ctx, p.statement(statement, i+1, nil)); err != nil {
			return false, errors.Join(p.setupProblem(statement, err), session.Close(context.WithoutCancel(ctx)))
		}
	}
	p.session, p.version = session, info.Version
	return false, nil
}

// statement is one call of the gateway.
func (p *SQLProgram) statement(s sqlscript.Statement, number int, config map[string]string) sqlgateway.Statement {
	line := 0
	if p.Script {
		line = s.Line
	}
	return sqlgateway.Statement{SQL: s.Executable(), Number: number, Line: line, Config: config}
}

func (p *SQLProgram) setupProblem(s sqlscript.Statement, err error) error {
	fault, ok := errors.AsType[*sqlgateway.StatementError](err)
	if !ok || rest.OutcomeUnknown(err) && !fault.Executed {
		return err
	}
	problem, advice := ProblemSetup, "Nothing was started."
	if p.Script {
		problem = ProblemScript
	}
	if sqlgateway.IsAlreadyExists(err) {
		advice = "It is in a catalog that outlives the session, and each start runs the set-up again. Write CREATE ... IF NOT EXISTS, or CREATE TEMPORARY for what only this job needs. Nothing was started."
	}
	return problemf(problem, advice, errors.New(p.words(s, fault)), "the set-up failed")
}

// words says which statement failed of what, with places in the script.
func (p *SQLProgram) words(s sqlscript.Statement, fault *sqlgateway.StatementError) string {
	text := fault.Error()
	if p.Script {
		text = s.Relocate(text)
	}
	return text
}

// Submit runs the pipeline under the id that the lifecycle chose.
func (p *SQLProgram) Submit(ctx context.Context, s Submission) (string, error) {
	result, err := p.run(ctx, s)
	if sqlgateway.IsSessionGone(err) && !sqlgateway.OutcomeUnknown(err) {
		// The gateway was restarted: what the session had is made again.
		p.session = nil
		result, err = p.run(ctx, s)
	}
	if err != nil {
		return "", p.pipelineProblem(s, err)
	}
	// A failure to end the session is none of the job's.
	_ = p.Close(ctx)
	return result.JobID, nil
}

func (p *SQLProgram) run(ctx context.Context, s Submission) (*sqlgateway.Result, error) {
	if _, err := p.Prepare(ctx); err != nil {
		return nil, err
	}
	if err := p.setPython(ctx, s.Configuration); err != nil {
		return nil, err
	}
	return p.session.Run(ctx, p.statement(p.Pipeline, len(p.Setup)+1, p.config(s)))
}

// setPython sets the options of Python for the session: the gateway looks for
// functions in those, and not in the settings of a statement.
func (p *SQLProgram) setPython(ctx context.Context, configuration map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(configuration)) {
		if !strings.HasPrefix(key, "python.") {
			continue
		}
		set := sqlgateway.Statement{SQL: "SET " + quote(key) + " = " + quote(configuration[key])}
		if _, err := p.session.Run(ctx, set); err != nil {
			return err
		}
	}
	return nil
}

// config are the settings of the pipeline: what is configured, the id, and where
// the job begins.
func (p *SQLProgram) config(s Submission) map[string]string {
	config := maps.Clone(s.Configuration)
	config["$internal.pipeline.job-id"] = s.JobID
	if s.Parallelism > 0 {
		config["parallelism.default"] = strconv.FormatInt(s.Parallelism, 10)
	}
	// Such a gateway would wait for the end of the job.
	config["table.dml-sync"] = "false"
	if s.Restore == "" {
		return config
	}
	location, mode, ignore := "execution.state-recovery.path", "execution.state-recovery.claim-mode", "execution.state-recovery.ignore-unclaimed-state"
	if before120.MatchString(p.version) {
		location, mode, ignore = "execution.savepoint.path", "execution.savepoint-restore-mode", "execution.savepoint.ignore-unclaimed-state"
	}
	config[location], config[mode], config[ignore] = s.Restore, flink.NoClaim, strconv.FormatBool(s.AllowNonRestored)
	return config
}

// before120 are the versions that know the options of restoring by earlier names.
var before120 = regexp.MustCompile(`^1\.1\d\b`)

func (p *SQLProgram) pipelineProblem(s Submission, err error) error {
	fault, ok := errors.AsType[*sqlgateway.StatementError](err)
	var problem *Error
	if !ok || errors.As(err, &problem) || sqlgateway.OutcomeUnknown(err) || sqlgateway.IsDuplicate(err) {
		return err
	}
	if file := s.Configuration["python.files"]; file != "" && fault.HasClass("NoSuchFileException") {
		return problemf(ProblemBundle, "The gateway plans the job, and reads the Python files itself. Run it on the JobManager's host, or with its upload directory mounted under the same path. Nothing was started.",
			errors.New(fault.Error()), "the SQL gateway does not see the JobManager's uploads")
	}
	if answer, isAnswer := errors.AsType[*rest.Error](err); isAnswer {
		if known := classify(answer.Text, errors.New(fault.Reason())); known != nil && known.Problem != ProblemMain {
			return known
		}
	}
	at := ProblemStatement
	if p.Script {
		at = ProblemScript
	}
	return problemf(at, "Nothing was started.", errors.New(p.words(p.Pipeline, fault)), "the pipeline was refused")
}

// Explain lets the gateway plan the pipeline without starting it.
func (e *Engine) Explain(ctx context.Context, spec Spec) (err error) {
	program, ok := spec.Program.(*SQLProgram)
	if !ok {
		return fmt.Errorf("this kind of job cannot be explained")
	}
	configuration, err := e.configuration(ctx, spec, Marker{Owner: e.Owner, Name: spec.Name})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, program.Close(ctx)) }()
	if _, err := program.Prepare(ctx); err != nil {
		return err
	}
	if err := program.setPython(ctx, configuration); err != nil {
		return err
	}
	explained := program.statement(program.Pipeline, len(program.Setup)+1, configuration)
	explained.SQL = "EXPLAIN " + explained.SQL
	if _, err := program.session.Run(ctx, explained); err != nil {
		return program.pipelineProblem(Submission{Configuration: configuration}, err)
	}
	return nil
}
