package gotool

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// runnableName matches the names that -test.list prints and -test.run runs.
var runnableName = regexp.MustCompile(`^(?:Test|Example|Fuzz)[\pL\pN_]*$`)

// ListTests asks a test binary, run as o says, for the names of its tests,
// fuzz tests and examples that a -run pattern matches; "" matches all. Of a
// pattern with slashes, which names subtests too, it takes what concerns the
// tests. o.Args are not used.
func ListTests(ctx context.Context, o RunOptions, pattern string) ([]string, error) {
	o.Args = []string{"-test.list=" + topLevel(pattern)}
	r, err := Run(ctx, o)
	if err == nil && r.Killed {
		r, err = Run(ctx, o) // by somebody who may not do it again
	}
	if err != nil {
		return nil, fmt.Errorf("list tests: %w", err)
	}
	said := firstLines(r.Output, 10)
	switch {
	case r.Stop == Cancelled:
		return nil, fmt.Errorf("list tests: %w", ctx.Err())
	case r.Stop != Exited:
		return nil, fmt.Errorf("list tests: the test binary was stopped (%s) before it ran a test: %s", r.Stop, said)
	case r.ExitCode != 0:
		return nil, fmt.Errorf("list tests: the test binary failed (exit code %d) before it ran a test: %s", r.ExitCode, said)
	}
	var names []string
	for line := range strings.Lines(string(r.Output)) {
		// A package's own output may come before, between and after.
		if line = strings.TrimSpace(line); runnableName.MatchString(line) {
			names = append(names, line)
		}
	}
	return names, nil
}

// topLevel is the part of a -run pattern before the first slash that is in no
// brackets, as package testing splits it. Alternatives at top level with
// slashes of their own ("A/x|B/y") are split first.
func topLevel(pattern string) string {
	var parts []string
	for _, alternative := range splitOutside(pattern, '|') {
		parts = append(parts, splitOutside(alternative, '/')[0])
	}
	if top := strings.Join(parts, "|"); top != "" {
		return top
	}
	return "." // -test.list="" would not list but run
}

// splitOutside splits a regular expression at a byte where it is outside of
// brackets, parentheses and escapes.
func splitOutside(s string, sep byte) []string {
	var parts []string
	brackets, parens, from := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(0, brackets-1)
		case c == '(' && brackets == 0:
			parens++
		case c == ')' && brackets == 0:
			parens--
		case c == sep && brackets == 0 && parens == 0:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}
