// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

func (c *checker) python(root node) {
	group := root.inner(atPython)
	files := group.v.fields[atFiles]
	empty := !group.set("files") || files.form == list && len(files.items) == 0
	switch {
	case group.on(atEnable) && empty:
		group.refuse("files", "There are no Python files", "Functions in Python are enabled, and Dagger fails without a file.")
	case group.off(atEnable) && group.given("files"):
		group.warn("files", "python_udf has no effect", "It is not enabled. Set python_udf.enable = true.")
	}
	group.pythonFiles()
	group.pythonArchives()
	if requirements, known := group.text("requirements"); known {
		group.pythonPath(group.at("requirements"), requirements)
	}
	group.batches()
}

// pythonPath checks one path; it is false when it is not worth another look.
func (n node) pythonPath(at Path, text string) bool {
	switch {
	case text == "":
		n.c.add(Refused, at, "The path is empty", "Leave it out.")
	case strings.ContainsFunc(text, unicode.IsSpace):
		n.c.add(Refused, at, fmt.Sprintf("The path %q has blanks", text), "Dagger removes them, and looks for another file. Give it another name.")
	case web(text):
		n.c.add(Refused, at, fmt.Sprintf("The path %q is a web address", text), "Flink has no file system for it. Use a path of the JobManager, or one such as gs://.")
	default:
		return true
	}
	return false
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (n node) pythonFiles() {
	functions := map[string]int{}
	texts := n.texts("files")
	for i := range len(n.v.fields["files"].items) {
		text, known := texts[i]
		at := append(n.at("files"), i)
		if !known || strings.Contains(text, ",") || !n.pythonPath(at, text) {
			continue
		}
		switch strings.ToLower(path.Ext(text)) {
		case ".zip":
			n.pythonStore(at, text)
			continue
		case ".py":
		default:
			n.c.add(Refused, at, fmt.Sprintf("%q is neither a .py nor a .zip file", text), "Dagger takes no other, also where Flink does, such as wheels and directories.")
			continue
		}
		name := strings.ReplaceAll(path.Base(text), ".py", "")
		first, twice := functions[strings.ToUpper(name)]
		functions[strings.ToUpper(name)] = i
		switch {
		case !identifier.MatchString(name) || path.Ext(text) != ".py":
			n.c.add(Refused, at, fmt.Sprintf("%q is not the name of a function", name), "Dagger names the function as the file, without .py. Use letters, digits and _, and end the file with .py in lower case.")
		case twice:
			n.c.add(Refused, at, fmt.Sprintf("Files %d and %d have the same function %s", first, i, strings.ToUpper(name)), "Functions are named as their files, and the job fails over the second.")
		case slices.Contains(builtin, strings.ToUpper(name)):
			n.c.add(Warned, at, fmt.Sprintf("Flink has a function %s of its own", strings.ToUpper(name)), "The query calls that one, or fails over its arguments. Give the file and its function another name.")
		}
	}
}

// pythonStore checks where a .zip is: Dagger opens it itself, to see what it has.
func (n node) pythonStore(at Path, text string) {
	stores := []string{"gs"}
	if n.c.Namespace == GotoCompany {
		stores = append(stores, "oss", "cosn")
	}
	scheme, _, remote := strings.Cut(text, "://")
	if remote && !slices.Contains(stores, scheme) {
		n.c.add(Refused, at, fmt.Sprintf("Dagger cannot open %q", text),
			fmt.Sprintf("It looks into a .zip itself, on the JobManager: at a path of its own disk, without a scheme, or at %s://.", strings.Join(stores, ":// and ")))
	}
}

// extracted are the endings of archives that Flink extracts, and refused those
// of formats that it would try as zip.
var (
	extracted  = []string{".zip", ".jar", ".tar", ".tar.gz", ".tgz"}
	notReadout = []string{".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".7z", ".rar", ".gz", ".bz2", ".xz"}
)

func (n node) pythonArchives() {
	targets := map[string]int{}
	texts := n.texts("archives")
	for i := range len(n.v.fields["archives"].items) {
		text, known := texts[i]
		at := append(n.at("archives"), i)
		if !known || strings.Contains(text, ",") || !n.pythonPath(at, text) {
			continue
		}
		file, target, found := strings.Cut(text, "#")
		if !found || target == "" {
			target = path.Base(file)
		}
		first, twice := targets[path.Clean(target)]
		targets[path.Clean(target)] = i
		name := strings.ToLower(file)
		has := func(ending string) bool { return strings.HasSuffix(name, ending) }
		switch {
		case path.IsAbs(target) || target == ".." || strings.HasPrefix(path.Clean(target), "../"):
			n.c.add(Refused, at, fmt.Sprintf("The directory %q is outside of the worker's own", target), "It has to be relative to that.")
		case twice:
			n.c.add(Refused, at, fmt.Sprintf("Archives %d and %d have the same directory %q", first, i, target), "The second would overwrite files of the first.")
		case slices.ContainsFunc(extracted, has):
		case slices.ContainsFunc(notReadout, has):
			n.c.add(Refused, at, fmt.Sprintf("%q is of a format that Flink cannot extract", file), "It extracts "+strings.Join(extracted, ", ")+".")
		default:
			n.c.add(Warned, at, fmt.Sprintf("%q has an unusual ending", file), "Flink tries it as zip. It knows "+strings.Join(extracted, ", ")+".")
		}
	}
}

// batches checks sizes that Flink changes without a word.
func (n node) batches() {
	const arrowSize, bundleSize = "fn_execution_arrow_batch_size", "fn_execution_bundle_size"
	for _, attribute := range []string{arrowSize, bundleSize, "fn_execution_bundle_time"} {
		if number, known := n.number(attribute); known && number == 0 && n.given(attribute) {
			n.warn(attribute, attribute+" has no effect", "Flink takes its default for 0.")
		}
	}
	arrow, arrowKnown := n.number(arrowSize)
	bundle, bundleKnown := n.number(bundleSize)
	if arrowKnown && bundleKnown && arrow > bundle && bundle > 0 && (n.given(arrowSize) || n.given(bundleSize)) {
		at := arrowSize
		if !n.given(arrowSize) {
			at = bundleSize
		}
		n.warn(at, fmt.Sprintf("An Arrow batch of %d is larger than a bundle of %d", arrow, bundle), fmt.Sprintf("Flink takes %d for both.", bundle))
	}
}

// builtin are functions of Flink 1.14, which a file's name would collide with.
var builtin = strings.Fields(`
	ABS ACOS AND ARRAY ASCII ASIN ATAN ATAN2 AVG BETWEEN BIN CARDINALITY CAST CEIL CEILING CHARACTER_LENGTH CHAR_LENGTH CHR COALESCE COLLECT
	CONCAT CONCAT_WS CONVERT_TZ COS COSH COT COUNT CUME_DIST CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DATEDIFF DATE_FORMAT DAYOFMONTH DAYOFWEEK DAYOFYEAR
	DECODE DEGREES DENSE_RANK DIVIDE E ELEMENT ENCODE EQUALS EXP EXTRACT FIRST_VALUE FLATTEN FLOOR FROM_BASE64 FROM_UNIXTIME GREATERTHAN GREATEST GROUPING
	HASH_CODE HEX HOP HOUR IF IFNULL IN INITCAP IS_ALPHA IS_DECIMAL IS_DIGIT ITEM JSON_EXISTS JSON_VALUE LAG LAST_VALUE LEAD LEAST LEFT LESSTHAN LIKE LISTAGG
	LN LOCALTIME LOCALTIMESTAMP LOCATE LOG LOG10 LOG2 LOWER LPAD LTRIM MAP MAX MD5 MIN MINUS MINUTE MOD MONTH MULTIPLY NOT NOTEQUALS NOW NTILE NULLIF OR OVERLAPS
	OVERLAY PARSE_URL PERCENT_RANK PI PLUS POSITION POWER PROCTIME QUARTER RADIANS RAND RAND_INTEGER RANK REGEXP REGEXP_EXTRACT REGEXP_REPLACE REPEAT REPLACE
	REVERSE RIGHT ROUND ROW ROWTIME ROW_NUMBER RPAD RTRIM SECOND SESSION SHA1 SHA2 SHA224 SHA256 SHA384 SHA512 SIGN SIMILAR SIN SINH SPLIT_INDEX SQRT STDDEV
	STDDEV_POP STDDEV_SAMP STR_TO_MAP SUBSTR SUBSTRING SUM TAN TANH TIMESTAMPADD TIMESTAMPDIFF TO_BASE64 TO_DATE TO_TIMESTAMP TO_TIMESTAMP_LTZ TRIM TRUNCATE
	TUMBLE UNIX_TIMESTAMP UPPER UUID VARIANCE VAR_POP VAR_SAMP WEEK YEAR`)
