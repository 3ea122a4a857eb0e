// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package gatewayfake

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"
)

// session is what the gateway keeps of one.
type session struct {
	id    string
	asked time.Time
	// given are the properties that the session was opened with, properties
	// those with what SET made of them.
	given, properties map[string]string

	catalog, database string
	objects           map[string]*object
	operations        map[string]*operation
}

func newSession(now time.Time) *session {
	return &session{
		id: newHandle(), asked: now, given: map[string]string{}, properties: map[string]string{},
		catalog: "default_catalog", database: "default_database",
		objects: map[string]*object{}, operations: map[string]*operation{},
	}
}

// operation is a statement that was taken. What it does it does at once, but
// tells only when its time has come.
type operation struct {
	due      time.Time
	canceled bool
	failed   trace
	outcome  outcome
	// token is the page that was read last.
	token int
}

// outcome is what a statement returned.
type outcome struct {
	jobID   string
	columns []string
	rows    [][]any
	// explains is true for a text that was asked for.
	explains bool
}

func (s *Server) submit(c *call) reply {
	one := s.session(c)
	if one == nil {
		return serverError(trace{gatewayException + "Failed to executeStatement.", noSession(c.vars[0])})
	}
	var request struct {
		Statement string         `json:"statement"`
		Config    map[string]any `json:"executionConfig"`
		Timeout   int64          `json:"executionTimeout"`
	}
	if err := json.Unmarshal(c.body, &request); err != nil {
		return badBody("ExecuteStatementRequestBody", err)
	}
	if request.Timeout > 0 {
		return serverError(trace{
			gatewayException + "Failed to executeStatement.",
			"java.lang.UnsupportedOperationException: SqlGatewayService doesn't support timeout mechanism now.",
		})
	}
	config := map[string]string{}
	for key, value := range request.Config {
		switch value := value.(type) {
		case string:
			config[key] = value
		case float64, bool:
			config[key] = fmt.Sprint(value)
		case nil:
			return serverError(trace{"java.lang.NullPointerException: Value must not be null."})
		default:
			return badBody("ExecuteStatementRequestBody", errors.New("Cannot deserialize value of type `java.lang.String` from Object value"))
		}
	}
	id := newHandle()
	o := &operation{due: s.now().Add(s.set.operation)}
	e := execution{server: s, session: one, config: config}
	o.outcome, o.failed = e.execute(request.Statement)
	if o.failed != nil {
		o.failed = append(trace{executionError + "Failed to execute the operation " + id + "."}, o.failed...)
	}
	one.operations[id] = o
	return ok(map[string]any{"operationHandle": id})
}

// operation finds the operation of a call, or says what is missing.
func (s *Server) operation(c *call) (found *operation, missing string) {
	one := s.session(c)
	if one == nil {
		return nil, noSession(c.vars[0])
	}
	if found = one.operations[c.vars[1]]; found == nil {
		return nil, noOperation(c.vars[1])
	}
	return found, ""
}

func (s *Server) statusOf(o *operation) string {
	switch {
	case o.canceled:
		return "CANCELED"
	case s.now().Before(o.due):
		return "RUNNING"
	case o.failed != nil:
		return "ERROR"
	}
	return "FINISHED"
}

func (s *Server) status(c *call) reply {
	o, missing := s.operation(c)
	if o == nil {
		return restError("Failed to getOperationInfo.", missing)
	}
	return ok(map[string]any{"status": s.statusOf(o)})
}

func (s *Server) cancel(c *call) reply {
	o, missing := s.operation(c)
	if o == nil {
		return restError("Failed to cancelOperation.", missing)
	}
	if status := s.statusOf(o); status != "RUNNING" {
		return restError("Failed to cancelOperation.",
			gatewayException+"Failed to convert the Operation Status from "+status+" to CANCELED for "+c.vars[1]+".")
	}
	o.canceled = true
	return ok(map[string]any{"status": "CANCELED"})
}

// closeOperation is fine with an operation that it does not know.
func (s *Server) closeOperation(c *call) reply {
	one := s.session(c)
	if one == nil {
		return restError("Failed to closeOperation.", noSession(c.vars[0]))
	}
	delete(one.operations, c.vars[1])
	return ok(map[string]any{"status": "CLOSED"})
}

// result gives a page: all rows are in the first, and the second is the end. A
// page whose next one was read is empty.
func (s *Server) result(c *call) reply {
	token, err := strconv.Atoi(c.vars[2])
	if err != nil {
		return badParameter("path", "token", c.vars[2])
	}
	format := c.format
	switch format {
	case "":
		format = "JSON"
	case "JSON", "PLAIN_TEXT":
	default:
		return badParameter("query", "rowFormat", format)
	}
	o, missing := s.operation(c)
	if o == nil {
		return fetchError(missing)
	}
	base := "/" + c.version + "/sessions/" + c.vars[0] + "/operations/" + c.vars[1] + "/result/"
	switch s.statusOf(o) {
	case "RUNNING":
		return ok(map[string]any{"resultType": "NOT_READY", "nextResultUri": base + c.vars[2] + "?rowFormat=" + format})
	case "ERROR":
		return fetchError(o.failed...)
	case "CANCELED":
		return fetchError(executionError + "Can not fetch results from the " + c.vars[1] + " in CANCELED state.")
	}
	if token > 1 || token < 0 {
		return fetchError(executionError + "Expecting token to be 1 or 0, but found " + c.vars[2] + ".")
	}
	answer := o.outcome.page(format, token, o.token)
	o.token = max(o.token, token)
	if token == 0 {
		answer["nextResultUri"] = base + "1?rowFormat=" + format
	}
	return ok(answer)
}

func (o outcome) page(format string, token, read int) map[string]any {
	columns := []any{}
	for _, name := range o.columns {
		columns = append(columns, map[string]any{
			"name": name, "comment": nil, "logicalType": map[string]any{"type": "VARCHAR", "nullable": true, "length": 2147483647},
		})
	}
	data := []any{}
	if token == 0 && read == 0 {
		for _, row := range o.rows {
			data = append(data, map[string]any{"kind": "INSERT", "fields": row})
		}
	}
	answer := map[string]any{
		"resultType": "PAYLOAD", "isQueryResult": false, "resultKind": "SUCCESS",
		"results": map[string]any{"columns": columns, "rowFormat": format, "data": data},
	}
	if token == 1 {
		answer["resultType"] = "EOS"
	}
	if o.columns[0] != "result" || o.explains {
		answer["resultKind"] = "SUCCESS_WITH_CONTENT"
	}
	if o.jobID != "" {
		answer["jobID"] = o.jobID
	}
	return answer
}

// done is the result of a statement that returns nothing.
func done() outcome { return outcome{columns: []string{"result"}, rows: [][]any{{"OK"}}} }

// settings are what a statement runs with: the session's properties with the
// statement's own on top.
func (e *execution) settings() map[string]string {
	all := maps.Clone(e.session.properties)
	maps.Copy(all, e.config)
	return all
}
