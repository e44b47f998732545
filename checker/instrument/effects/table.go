package effects

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mendel/checker/sched/effects"
)

// A Table says what the functions of a standard library do, in the words of package
// mendel/checker/sched/effects. Its text has the toolchain in its first line, then the
// packages, each with its functions and methods:
//
//	go1.26.8 linux/amd64
//	bytes
//		Buffer.Len 0r
//		Equal 0r 1r
//
// A nil Table says nothing. A Table does not change.
type Table struct {
	// Note says, for the user, that the words are those of another version, and why; "" if
	// they are not.
	Note string

	of       string                       // version and port of the toolchain
	packages map[string]map[string]string // words by name, by import path
	methods  map[string]bool              // names of methods that do something to their receiver
}

// parseTable reads the text of a table.
func parseTable(text string) (*Table, error) {
	of, rest, ok := strings.Cut(text, "\n")
	if !ok || !strings.HasPrefix(of, "go") || !strings.HasSuffix(text, "\n") {
		return nil, errors.New("it is no table of effects")
	}
	t := &Table{of: of, packages: map[string]map[string]string{}}
	var words map[string]string
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		said, ok := strings.CutPrefix(line, "\t")
		if !ok {
			words = map[string]string{}
			t.packages[line] = words
			continue
		}
		name, what, ok := strings.Cut(said, " ")
		if words == nil || !ok {
			return nil, fmt.Errorf("line %q belongs to no package", line)
		}
		words[name] = what
	}
	t.methods = methodsOf(t.packages)
	return t, nil
}

func methodsOf(packages map[string]map[string]string) map[string]bool {
	names := map[string]bool{}
	for _, words := range packages {
		for name, what := range words {
			if _, method, ok := strings.Cut(name, "."); ok && effects.Param(what, 0) != "" {
				names[method] = true
			}
		}
	}
	return names
}

// over is a table with its own packages and those of another that it does not have.
func (t *Table) over(other *Table) *Table {
	all := maps.Clone(other.packages)
	maps.Copy(all, t.packages)
	return &Table{of: t.of, packages: all, methods: methodsOf(all)}
}

// write writes the text of a table.
func (t *Table) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", t.of)
	for _, path := range slices.Sorted(maps.Keys(t.packages)) {
		fmt.Fprintf(&b, "%s\n", path)
		words := t.packages[path]
		for _, name := range slices.Sorted(maps.Keys(words)) {
			fmt.Fprintf(&b, "\t%s %s\n", name, words[name])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Of returns the words about a function, "Sort", or a method, "Buffer.Write", of a
// package; "" if there are none.
func (t *Table) Of(path, name string) string {
	if t == nil {
		return ""
	}
	return t.packages[path][name]
}

// Method reports whether some type has a method of that name that does something to
// its receiver.
func (t *Table) Method(name string) bool { return t != nil && t.methods[name] }

// Package reports whether the table has words about a package.
func (t *Table) Package(path string) bool { return t != nil && len(t.packages[path]) > 0 }

// Lines are the words that a running program needs: those about methods of packages that it
// may have values of, called through an interface. Of functions and arguments the
// rewritten source tells.
func (t *Table) Lines(paths []string) string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	for _, path := range slices.Sorted(slices.Values(paths)) {
		if !t.Package(path) {
			continue
		}
		fmt.Fprintf(&b, "%s\n", path)
		words := t.packages[path]
		for _, name := range slices.Sorted(maps.Keys(words)) {
			if !strings.Contains(name, ".") {
				continue
			}
			if own := effects.Receiver(words[name]); own != "" {
				fmt.Fprintf(&b, "\t%s %s\n", name, own)
			}
		}
	}
	return b.String()
}
