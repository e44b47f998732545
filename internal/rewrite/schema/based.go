package schema

import (
	"regexp"

	"mendel/analysis"
)

// Based is what a schema begins with whose original is a mutant: its packages, in the order
// of the program's, and the files of those that differ from these, by absolute name. Without
// a mutant it is the program, and no files.
func Based(program []*analysis.Package, mutant *Program) (pkgs []*analysis.Package, files map[string][]byte) {
	files = map[string][]byte{}
	if mutant == nil {
		return program, files
	}
	for _, pkg := range program {
		now := mutant.Packages[pkg.Path]
		pkgs = append(pkgs, now)
		if now == pkg {
			continue
		}
		for _, f := range now.Files {
			files[f.Name] = f.Source
		}
	}
	return pkgs, files
}

// Groups calls build to put programs (by number) into executables, as many as it pays to
// try: first into schemata of the program, and what is left, because it declares something
// otherwise, into schemata of the first of the rest. build returns those that are in none
// yet.
func Groups(some []int, build func(some []int, based bool) (unfit []int, err error)) (err error) {
	for range mostTries {
		if len(some) < 2 {
			return nil
		}
		if some, err = build(some, false); err != nil {
			return err
		}
	}
	for range mostBases {
		if len(some) < 2 {
			return nil
		}
		first := some[0]
		if some, err = build(some, true); err != nil {
			return err
		}
		if len(some) > 0 && some[0] == first {
			some = some[1:] // nobody is like it
		}
	}
	return nil
}

// causes are kinds of reasons why a program does not fit.
var causes = []struct {
	why   *regexp.Regexp
	cause string
}{
	{regexp.MustCompile(`it declares (no )?type `), "a type changed"},
	{regexp.MustCompile(`it declares (no )?func `), "a signature changed"},
	{regexp.MustCompile(`it declares (no )?(var|const) `), "an initial value changed"},
	{regexp.MustCompile(`of the same name$|does not go with|hides another$`), "declarations clash"},
	{regexp.MustCompile(` says itself where its lines are$`), "it has line directives"},
	{regexp.MustCompile(`^there are too many `), "too many variants"},
}

// Cause is the kind of a reason why a program does not fit, so that it can be counted.
func Cause(why string) string {
	for _, c := range causes {
		if c.why.MatchString(why) {
			return c.cause
		}
	}
	return "it does not fit otherwise"
}

// Causes, besides those of Cause, of programs that do not share an executable.
const (
	Refused = "refused by the compiler with others"
	Single  = "no other left to share with"
)
