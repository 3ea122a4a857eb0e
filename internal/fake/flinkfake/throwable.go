// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"fmt"
	"strings"
)

// throwable is a Java exception as it shows in an error body: a class, a message and a cause.
type throwable struct {
	class, message string
	cause          *throwable
}

// throw makes an exception.
func throw(class, format string, args ...any) *throwable {
	return &throwable{class: class, message: fmt.Sprintf(format, args...)}
}

// by returns t with an innermost cause.
func (t *throwable) by(cause *throwable) *throwable {
	c := *t
	if c.cause == nil {
		c.cause = cause
	} else {
		c.cause = c.cause.by(cause)
	}
	return &c
}

// wrapped puts an exception around t that, as Java does without a message of its own, repeats t's.
func (t *throwable) wrapped(class string) *throwable {
	return &throwable{class: class, message: t.String(), cause: t}
}

// String is the exception's own line.
func (t *throwable) String() string {
	if t.message == "" {
		return t.class
	}
	return t.class + ": " + t.message
}

// Error makes a throwable an error, so that a program's main can return it.
func (t *throwable) Error() string { return t.String() }

// innermost is t without what caused it.
func (t *throwable) innermost() *throwable { return &throwable{class: t.class, message: t.message} }

// innermostCause is the last of the causes, t itself if there is none.
func (t *throwable) innermostCause() *throwable {
	for t.cause != nil {
		t = t.cause
	}
	return t
}

// stack is the printed stack trace. Frames are the fake's own: nobody may rely on them.
func (t *throwable) stack() string {
	var b strings.Builder
	for c := t; c != nil; c = c.cause {
		if c != t {
			b.WriteString("Caused by: ")
		}
		b.WriteString(c.String())
		b.WriteString("\n\tat flinkfake.Server.handle(Server.java:1)\n\t... 12 more\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

const (
	classRest        = "org.apache.flink.runtime.rest.handler.RestHandlerException"
	classNotFound    = "org.apache.flink.runtime.rest.NotFoundException"
	classCompletion  = "java.util.concurrent.CompletionException"
	classFlink       = "org.apache.flink.util.FlinkException"
	classFlinkRT     = "org.apache.flink.util.FlinkRuntimeException"
	classInvocation  = "org.apache.flink.client.program.ProgramInvocationException"
	classAbort       = "org.apache.flink.client.program.ProgramAbortException"
	classExecution   = "org.apache.flink.runtime.client.JobExecutionException"
	classInit        = "org.apache.flink.runtime.client.JobInitializationException"
	classDupJob      = "org.apache.flink.runtime.client.DuplicateJobSubmissionException"
	classDupApp      = "org.apache.flink.runtime.client.DuplicateApplicationSubmissionException"
	classNoJob       = "org.apache.flink.runtime.messages.FlinkJobNotFoundException"
	classNoApp       = "org.apache.flink.runtime.messages.FlinkApplicationNotFoundException"
	classState       = "java.lang.IllegalStateException"
	classArgument    = "java.lang.IllegalArgumentException"
	classRuntime     = "java.lang.RuntimeException"
	classIO          = "java.io.IOException"
	classNoFile      = "java.io.FileNotFoundException"
	classUnsupported = "java.lang.UnsupportedOperationException"
	classScheme      = "org.apache.flink.core.fs.UnsupportedFileSystemSchemeException"
	classConfig      = "org.apache.flink.configuration.IllegalConfigurationException"
	classCheckpoint  = "org.apache.flink.runtime.checkpoint.CheckpointException"
	classNoResource  = "org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException"
	classJob         = "org.apache.flink.runtime.JobException"
	classNPE         = "java.lang.NullPointerException"
	classNumber      = "java.lang.NumberFormatException"
	classBadRequest  = "org.apache.flink.runtime.rest.handler.HandlerRequestException"
	jackson          = "org.apache.flink.shaded.jackson2.com.fasterxml.jackson."
	classJSONParse   = jackson + "core.JsonParseException"
	classJSONMap     = jackson + "databind.JsonMappingException"
	classMismatch    = jackson + "databind.exc.MismatchedInputException"
	classFormat      = jackson + "databind.exc.InvalidFormatException"
)
