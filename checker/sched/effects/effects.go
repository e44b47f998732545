// Package effects is the language in which is said what the functions of the standard
// library do to the memory that they are given, and what a program under test knows of it.
// Package mendel/checker/instrument/effects has the whole.
//
// Of functions that do nothing to any, there are no lines. The words of a line are
// about parameters, by index; a method's receiver is 0:
//
//	0r    reads what it points to: an object, a slice's elements, a map
//	0w    writes that, and may read it
//	0r1.2 reads or writes fields 1 and 2 only; beside 0w, writes these too
//	0w[4  reads or writes the first 4 elements only
//	0a    appends to a slice: writes elements between its length and its capacity, or
//	      reads all, if there are none
//	0z1.2 writes those of fields 1 and 2 that are zero, and reads the others
//	0e    reads a list of slices, and their elements
//	0R    reads everything that can be reached through exported fields
//	0D    reads everything that can be reached
//	0F    reads what package fmt prints
//	0W    decodes into it
//	0l 0L reads or writes an object that is safe for concurrent use, because of a lock
//	0S    writes one that is because of atomics
//	0c    calls it
//	0mWrite calls its method
//	0>1mWrite calls the method of what its field 1 has
//	0>2r  reads what its field 2 points to, or has: a map, a slice
//	0Kx   does to what it holds what method held of package sched says of word x
//	0Px 0Ox uses an object of package x, which is not seen to do anything
//	$files:l $files:L $files:S reads or writes something that the process shares
package effects

import (
	"strings"
	"sync"
)

// A program under test has the lines about methods of the packages that it depends on:
// what it calls through interfaces is known when it runs only. The rewritten source tells of
// other calls.

// registered are the lines of the program, by package.
var registered []string

// Register adds lines; called from a generated init function, before anything asks.
func Register(lines string) { registered = append(registered, lines) }

// packages are the words by name, by package.
var packages = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, text := range registered {
		var words map[string]string
		for line := range strings.Lines(text) {
			said, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t")
			if !ok {
				words = map[string]string{}
				all[said] = words
				continue
			}
			name, what, _ := strings.Cut(said, " ")
			words[name] = what
		}
	}
	return all
})

// Of returns the words about a method of a type of the library, "Buffer.Write", to its
// receiver and to what the process shares; "" if there are none.
func Of(pkg, name string) string { return packages()[pkg][name] }

// Package reports whether a package is one of the library that there are words about.
func Package(path string) bool { return packages()[path] != nil }

// Receiver returns those of a method's words that are about its receiver and what the
// process shares.
func Receiver(words string) string {
	text, sep := "", ""
	for w := range strings.FieldsSeq(words) {
		if i, _ := number(w); w[0] == '$' || i == 0 {
			text += sep + w
			sep = " "
		}
	}
	return text
}

// Param returns the words about one parameter, without its index.
func Param(words string, index int) string {
	found, sep := "", ""
	for w := range strings.FieldsSeq(words) {
		i, rest := number(w)
		if w[0] == '$' || i != index { // about what the process shares, or another
			continue
		}
		found += sep + rest
		sep = " "
	}
	return found
}

// State returns the words about what the process shares, each with a dollar sign.
func State(words string) string {
	var found []string
	for w := range strings.FieldsSeq(words) {
		if w[0] == '$' {
			found = append(found, w)
		}
	}
	return strings.Join(found, " ")
}

func number(w string) (n int, rest string) {
	i := 0
	for ; i < len(w) && w[i] >= '0' && w[i] <= '9'; i++ {
		n = n*10 + int(w[i]-'0')
	}
	return n, w[i:]
}
