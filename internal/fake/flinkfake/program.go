// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Program is the behaviour of a main class. An error is what main throws.
type Program func(m *Main) error

// Main is what a program's main method can see and do.
type Main struct {
	// Args are the program's arguments.
	Args []string
	// Conf is the cluster's configuration with the job's on top.
	Conf map[string]string
	// Planning is true when the plan was asked for: [Main.Execute] then starts nothing.
	Planning bool

	server  *Server
	execute func(Graph) error
}

// Graph is the job that a program builds.
type Graph struct {
	// Name set in code wins over pipeline.name.
	Name string
	// Operators in the order of the data; each is a vertex of its own unless it is chained.
	Operators []Operator
	// Parallelism set in code wins over the request and the configuration; 0 is not set.
	Parallelism int
	// Rate is records per second, Count the number of records after which the job finishes, 0 for never.
	Rate  float64
	Count int64
	// FailAt makes the job throw when it counts that record, not when it starts beyond; 0 is never.
	FailAt int64
	// CheckpointInterval set in code wins over the configuration; 0 is not set.
	CheckpointInterval time.Duration
	// GlobalParameters set in code replace pipeline.global-job-parameters; nil is not set.
	GlobalParameters map[string]string
}

// Operator is a step of a job.
type Operator struct {
	Name string
	// UID names the operator's state in a savepoint.
	UID string
	// Stateful operators write state, and refuse a savepoint that holds state for none of them.
	Stateful bool
	// Form is what the state looks like. State of another form is taken, but the job then fails whenever it starts.
	Form string
	// Counts marks the operator whose state is the job's progress; without one it is any stateful operator.
	Counts bool
	// Chained operators share the vertex of the one before.
	Chained bool
	// Parallelism set in code for this operator alone; 0 is the job's.
	Parallelism int
}

// errPlanned unwinds main when only the plan was asked for.
var errPlanned = errors.New("the plan is taken")

// Execute submits the job, or in a plan ends main. A main that calls it twice gets what Flink would give it.
func (m *Main) Execute(g Graph) error { return m.execute(g) }

// Arg returns the value after an argument such as "--name".
func (m *Main) Arg(name, fallback string) string {
	if i := slices.Index(m.Args, name); i >= 0 && i+1 < len(m.Args) {
		return m.Args[i+1]
	}
	return fallback
}

// Has tells whether an argument is there.
func (m *Main) Has(name string) bool { return slices.Contains(m.Args, name) }

// Int is Arg for numbers.
func (m *Main) Int(name string, fallback int64) (int64, error) {
	v := m.Arg(name, "")
	if v == "" {
		return fallback, nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		return 0, throw(classNumber, "For input string: %q", v)
	}
	return n, nil
}

// Sleep holds main up, as slow programs do, until the server closes.
func (m *Main) Sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-m.server.closed:
	}
}

// Throw makes an error with a Java class and a message, for programs.
func Throw(class, message string) error { return throw(class, "%s", message) }

// RegisterProgram adds or replaces the behaviour of a main class.
func (s *Server) RegisterProgram(class string, p Program) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.programs[class] = p
}

const (
	classCounter      = "streaming.jobs.Counter"
	classFailingMain  = "streaming.jobs.FailingMain"
	classNoExecute    = "streaming.jobs.NoExecute"
	classTwoExecutes  = "streaming.jobs.TwoExecutes"
	classStateProbe   = "streaming.probe.StateProbe"
	classPythonDriver = "org.apache.flink.client.python.PythonDriver"
)

var defaultClasses = []string{
	classCounter, classFailingMain, classNoExecute, classTwoExecutes, classStateProbe, classPythonDriver,
}

func defaultPrograms() map[string]Program {
	return map[string]Program{
		classCounter:      counterMain,
		classFailingMain:  failingMain,
		classNoExecute:    func(*Main) error { return nil },
		classTwoExecutes:  twoExecutesMain,
		classStateProbe:   stateProbeMain,
		classPythonDriver: pythonDriverMain,
	}
}

// counterArgs reads the arguments of the counting program: "--name value" and "--flag".
type counterArgs struct {
	m   *Main
	err error
}

func (a *counterArgs) int(name string) int64 {
	n, err := a.m.Int(name, 0)
	if err != nil && a.err == nil {
		a.err = err
	}
	return n
}

// counterMain counts the records of a rated source by five keys, in keyed state.
func counterMain(m *Main) error {
	a := &counterArgs{m: m}
	g := counterGraph(a)
	if len(m.Args) > 0 && !m.Has("--plain") {
		g.GlobalParameters = namedArgs(m.Args)
	}
	g.CheckpointInterval = time.Duration(a.int("--checkpoint")) * time.Millisecond
	sleep := a.int("--sleep-main")
	if a.err != nil {
		return a.err
	}
	m.Sleep(time.Duration(sleep) * time.Millisecond)
	g.Name = m.Arg("--name", "")
	return m.Execute(g)
}

const counterKeys = 5

func counterGraph(a *counterArgs) Graph {
	g := Graph{Rate: 200, Count: a.int("--count")}
	if v := a.m.Arg("--rate", ""); v != "" {
		rate, err := strconv.ParseFloat(v, 64)
		if err != nil {
			a.err = throw(classNumber, "For input string: %q", v)
		}
		g.Rate = rate
	}
	// One key of the five reaches its count first.
	if n := a.int("--fail-at"); n > 0 {
		g.FailAt = (n-1)*counterKeys + 1
	}
	g.Operators = []Operator{{Name: "Source: source", UID: "source", Stateful: true, Parallelism: 1}}
	sink := Operator{Name: "sink: Writer", UID: "sink", Chained: true}
	if a.m.server.version.strict() {
		// The program for 1.14 has the ends that there were then.
		g.Operators = append(g.Operators, Operator{Name: "pace", UID: "pace", Chained: true})
		sink.Name = "Sink: sink"
	}
	g.Operators = append(g.Operators, Operator{Name: "counter", UID: a.m.Arg("--uid", "counter"), Stateful: true, Counts: true})
	if a.m.Has("--extra-operator") {
		g.Operators = append(g.Operators, Operator{Name: "extra", UID: "extra", Stateful: true})
	}
	g.Operators = append(g.Operators, sink)
	return g
}

// namedArgs is every argument by its name; a flag has the value "true".
func namedArgs(args []string) map[string]string {
	out := map[string]string{}
	for i, a := range args {
		name, isName := strings.CutPrefix(a, "--")
		switch {
		case !isName:
		case i+1 < len(args) && !strings.HasPrefix(args[i+1], "--"):
			out[name] = args[i+1]
		default:
			out[name] = "true"
		}
	}
	return out
}

func failingMain(*Main) error {
	return throw(classState, "main failed on purpose")
}

// twoExecutesMain executes two counters, of which neither ends by itself: in one environment, the second is refused
// before it reaches the cluster.
func twoExecutesMain(m *Main) error {
	for i, name := range []string{"first", "second"} {
		if i > 0 && m.Has("--one-environment") {
			return throw(classFlinkRT, "Cannot have more than one execute() or executeAsync() call in a single environment.")
		}
		g := counterGraph(&counterArgs{m: &Main{Args: []string{"--label", name, "--rate", "10"}, server: m.server}})
		g.Name = name
		if err := m.Execute(g); err != nil {
			return err
		}
	}
	return nil
}
