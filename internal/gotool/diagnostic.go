package gotool

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A BuildError holds what the compiler, the linker, vet or the go command
// itself has against a program.
type BuildError struct {
	Diagnostics []Diagnostic // in the order printed, each once
	Output      string       // complete, for what has no position
	Limit       Stop         // the limit at which the build was ended, and nothing else is against the program; "": none
}

// A Diagnostic is one message of the compiler or of vet.
type Diagnostic struct {
	File         string // absolute
	Line, Column int    // from 1; Column is 0 when unknown
	Message      string // may have several lines, the further ones indented
}

// String is "file:line:column: message".
func (d Diagnostic) String() string {
	if d.Column > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Message)
	}
	return fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Message)
}

// shown is how many diagnostics, or lines of other output, an error message has.
const shown = 5

// Error lists the first diagnostics, position first, one per line; without
// any, the first lines of the output.
func (e *BuildError) Error() string {
	var lines []string
	for _, d := range e.Diagnostics {
		lines = append(lines, d.String())
	}
	if len(lines) == 0 {
		for line := range strings.Lines(e.Output) {
			if line = strings.TrimRight(line, " \t\r\n"); line != "" && !isFrame(line) {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) == 0 {
		return "the build failed without a message"
	}
	if more := len(lines) - shown; more > 0 {
		lines = append(lines[:shown], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// position matches a message with a position. The file's extension keeps
// apart other text that has numbers between colons.
var position = regexp.MustCompile(`^(?:vet: )?(.+?\.(?:go|s|S|sx|c|cc|cpp|cxx|m|h|hh|hpp|hxx|f|F|for|f90|swig|swigcxx|syso|mod|work|sum)):(\d+)(?::(\d+))?: (.*)$`)

// parseDiagnostics finds the messages with a position in what a go command
// printed; names are relative to dir, where it ran.
func parseDiagnostics(dir, output string) []Diagnostic {
	var found []Diagnostic
	seen := map[Diagnostic]bool{}
	add := func(d Diagnostic) {
		if d.Line > 0 && !seen[d] {
			seen[d] = true
			found = append(found, d)
		}
	}
	var last Diagnostic // still growing
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, " \t\r\n")
		if strings.HasPrefix(line, "\t") && last.Line > 0 {
			last.Message += "\n" + line
			continue
		}
		add(last)
		last = parseDiagnostic(dir, line)
	}
	add(last)
	return found
}

// parseDiagnostic is the diagnostic on a line; Line is 0 when there is none.
func parseDiagnostic(dir, line string) Diagnostic {
	m := position.FindStringSubmatch(line)
	if m == nil {
		return Diagnostic{}
	}
	d := Diagnostic{File: filepath.Clean(m[1]), Message: m[4]}
	if !filepath.IsAbs(d.File) {
		d.File = filepath.Join(dir, d.File)
	}
	number, err := strconv.Atoi(m[2])
	if err != nil { // out of range: no line of a file
		return Diagnostic{}
	}
	d.Line = number
	if column, err := strconv.Atoi(m[3]); err == nil { // else there is none
		d.Column = column
	}
	return d
}

// isFrame reports whether a line is the go command's frame around messages.
func isFrame(line string) bool {
	return strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "FAIL\t") || line == "FAIL"
}
