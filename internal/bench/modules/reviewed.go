package modules

import (
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/bench/programs"
)

// A review says why failures of a library's tests are real.
type review struct {
	module, pkg string // "path@version" and directory
	kind        evidence.Kind
	function    string // in which each goroutine of the failure is, without its package
	why         string
}

// reviews are all that were made. Any other failure counts as a false alarm until
// somebody has looked at it.
var reviews = []review{{
	module: "github.com/sourcegraph/conc@v0.3.0", pkg: "pool", kind: evidence.Blocked, function: "(*Pool).worker",
	why: `the subtest "panics on configuration after init/before wait" starts a pool and never calls Wait, so its worker waits for tasks for ever`,
}}

// reviewsOf lists the reviews of a package.
func reviewsOf(module, pkg string) []review {
	var of []review
	for _, r := range reviews {
		if r.module == module && r.pkg == pkg {
			of = append(of, r)
		}
	}
	return of
}

// about reports whether a review is about a failure: all of its goroutines, of
// which there is one at least, are where the review says.
func (r review) about(f checker.Failure) bool {
	if f.Kind != r.kind || len(f.Stacks) == 0 {
		return false
	}
	for _, s := range f.Stacks {
		if len(s.Frames) == 0 || programs.DeclaredFunction(evidence.ShortFunc(s.Frames[0].Func)) != r.function {
			return false
		}
	}
	return true
}
