// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"net/http"
	"slices"
	"strings"
)

// pythonArgs are the arguments of PyFlink's launcher.
type pythonArgs struct {
	files, module, script string
	// program are those that it passes on.
	program []string
}

// launcherOptions are those with a value, by their short and long names.
var launcherOptions = map[string]string{
	"pyfs": "pyfs", "pyFiles": "pyfs", "pym": "pym", "pyModule": "pym", "py": "py", "python": "py",
	"pyreq": "pyreq", "pyRequirements": "pyreq", "pyarch": "pyarch", "pyArchives": "pyarch",
	"pyexec": "pyexec", "pyExecutable": "pyexec", "pyclientexec": "pyclientexec", "pyClientExecutable": "pyclientexec",
}

// parsePython reads the launcher's own options: up to the first argument that is none of them, or to --, which it
// keeps for itself. An argument of the program with the name of one of them is taken for it.
func parsePython(args []string) (parsed pythonArgs, ok bool) {
	if len(args) < 2 {
		return parsed, false
	}
	for len(args) > 0 {
		if args[0] == "--" {
			args = args[1:]
			break
		}
		option, known := launcherOptions[strings.TrimLeft(args[0], "-")]
		if !known || !strings.HasPrefix(args[0], "-") {
			break
		}
		if len(args) < 2 {
			return parsed, false
		}
		switch option {
		case "pyfs":
			parsed.files = args[1]
		case "pym":
			parsed.module = args[1]
		case "py":
			parsed.script = args[1]
		}
		args = args[2:]
	}
	parsed.program = slices.Clone(args)
	if parsed.script != "" && !strings.HasSuffix(parsed.script, ".py") {
		return parsed, false
	}
	return parsed, (parsed.module == "") != (parsed.script == "")
}

// pythonDriverMain is PyFlink's launcher: it runs a module of an archive, "-pym <module>", which it finds through -pyfs
// or python.files. Arguments that it cannot read end the JobManager: the launcher leaves its process, which is that of
// the JobManager. Whatever ends the Python process, a refused submission too, is only an exit code to who asked.
func pythonDriverMain(m *Main) error {
	args, ok := parsePython(m.Args)
	if !ok {
		m.server.RestartJobManager()
		panic(http.ErrAbortHandler)
	}
	files := strings.Join(slices.DeleteFunc([]string{args.files, m.Conf["python.files"]}, func(f string) bool { return f == "" }), ",")
	m.server.logPython("--------------------------- Python Process Started --------------------------")
	for f := range strings.SplitSeq(files, ",") {
		if f != "" && !m.server.HasUpload(f) {
			return aborted(throw("java.nio.file.NoSuchFileException", "%s", f))
		}
	}
	// No upload has a name that ends in .py, so that no script is there.
	if args.module == "" || !m.server.HasPythonModule(files, args.module) {
		return m.server.pythonExit(1, "python: No module named "+args.module)
	}
	program := &Main{Args: args.program, Conf: m.Conf, Planning: m.Planning, server: m.server, execute: m.execute}
	a := &counterArgs{m: program}
	g := counterGraph(a)
	switch {
	case a.err != nil:
		return m.server.pythonExit(2, "usage: "+args.module+".py [-h]", args.module+".py: error: "+a.err.Error())
	case program.Has("--crash"):
		return m.server.pythonExit(1, tracebackHead, `  File "job.py", line 69, in main`, `    raise ValueError("the program was asked to crash")`, "ValueError: the program was asked to crash")
	case program.Has("--none"):
		return nil
	}
	g.Name = program.Arg("--name", "")
	// What the program itself uses, its workers get from python.files alone.
	if !m.server.HasPythonModule(m.Conf["python.files"], args.module) {
		g.FailAt = 1
	}
	executions := 1
	if program.Has("--twice") {
		executions = 2
	}
	for range executions {
		err := m.Execute(g)
		if m.Planning && err != nil {
			return err
		}
		if err != nil {
			return m.server.pythonExit(1, tracebackHead, `  File "job.py", line 77, in main`, "    env.execute(arguments.name)",
				"py4j.protocol.Py4JJavaError: An error occurred while calling o8.execute.", ": "+strings.Join(Causes(err), "\nCaused by: "))
		}
	}
	return nil
}

const tracebackHead = "Traceback (most recent call last):"

// logPython writes lines as the launcher logs what its program writes.
func (s *Server) logPython(lines ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.SplitSeq(strings.Join(lines, "\n"), "\n") {
		s.log.WriteString("2026-11-30 15:49:39,155 INFO  " + classPythonDriver + " [] - " + line + "\n")
	}
}

func (s *Server) getLog(*call) reply {
	return reply{status: http.StatusOK, text: s.log.String() + "\n", kind: "text/plain"}
}

// pythonExit is all that is told of a Python process that failed; what it wrote is in the JobManager's log.
func (s *Server) pythonExit(code int, wrote ...string) *throwable {
	s.logPython(append(wrote, "--------------------------- Python Process Exited ---------------------------", "Run python process failed")...)
	return aborted(throw(classRuntime, "Python process exits with code: %d", code))
}

func aborted(cause *throwable) *throwable { return throw(classAbort, "%s", cause).by(cause) }
