package mendel

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/evidence"
)

// A Fault is failures of the original that are taken to have one cause, because
// they have a place, a variable or a test in common.
type Fault struct {
	Failures    []int    `json:"failures"`         // indices of Result.Failures
	Tests       []string `json:"tests"`            // that fail so, top-level, sorted
	Out         string   `json:"out,omitempty"`    // directory of its own repair, below the output directory
	Status      Status   `json:"status,omitempty"` // of its own repair, in which its tests alone run; "": there was none
	Reason      string   `json:"reason,omitempty"`
	Seconds     float64  `json:"seconds"`
	Evaluations int      `json:"evaluations"` // mutants scored for it

	result *Result
}

// pattern is the -run pattern of the fault's tests.
func (f Fault) pattern() string { return "^(" + strings.Join(f.Tests, "|") + ")$" }

// faults tells the failures apart by their causes. Where they seem to have one,
// or it is not known which tests show them, there is at most one.
func (r *repairer) faults(base *baseline) []Fault {
	if r.o.UntilCandidate || strings.Contains(r.o.Run, "/") {
		return nil
	}
	tests := base.testsBySignature()
	var groups []group
	for i, f := range base.failures {
		g := group{failures: []int{i}, keys: map[any]bool{}, tests: map[string]bool{}}
		for name := range tests[f.Signature] {
			g.tests[name], g.keys["test "+name] = true, true
		}
		if len(g.tests) == 0 {
			return nil
		}
		for _, key := range r.placesOf(f.Failure) {
			g.keys[key] = true
		}
		groups = join(groups, g)
	}
	var faults []Fault
	for _, g := range groups {
		faults = append(faults, Fault{Failures: g.failures, Tests: slices.Sorted(maps.Keys(g.tests))})
	}
	return faults
}

// A group is failures on the way to a fault. Its keys are what it shares with
// failures that belong to it: tests, variables, places.
type group struct {
	failures []int
	tests    map[string]bool
	keys     map[any]bool
}

// join adds a group to others and merges it with those that it shares a key with.
func join(groups []group, g group) []group {
	var apart []group
	for _, other := range groups {
		shared := false
		for key := range g.keys {
			shared = shared || other.keys[key]
		}
		if !shared {
			apart = append(apart, other)
			continue
		}
		g.failures = append(g.failures, other.failures...)
		maps.Copy(g.tests, other.tests)
		maps.Copy(g.keys, other.keys)
	}
	slices.Sort(g.failures)
	apart = append(apart, g)
	slices.SortFunc(apart, func(a, b group) int { return a.failures[0] - b.failures[0] })
	return apart
}

// testsBySignature are the top-level tests that have shown each failure. One
// that is known of no test has an empty set.
func (b *baseline) testsBySignature() map[string]map[string]bool {
	tests := map[string]map[string]bool{}
	add := func(f evidence.Failure) {
		if tests[f.Signature] == nil {
			tests[f.Signature] = map[string]bool{}
		}
		if name, _, _ := strings.Cut(f.Test, "/"); name != "" {
			tests[f.Signature][name] = true
		}
	}
	for _, o := range b.noised {
		for _, f := range o.Failures {
			add(f)
		}
	}
	if b.checked != nil {
		for _, f := range b.checked.Failures {
			add(f.Failure)
		}
	}
	return tests
}

// placesOf are the functions of the module in which a failure's goroutines
// were, tests left out, and the shared variables used there.
func (r *repairer) placesOf(f evidence.Failure) []any {
	var places []any
	for _, s := range f.Stacks {
		for _, frame := range s.Frames {
			file := r.program.File(frame.File)
			if file == nil {
				continue
			}
			if !file.Test {
				places = append(places, fmt.Sprintf("%s %s", file.Rel, frame.Func))
			}
			places = append(places, r.variablesAt(frame)...)
			break // what is further out only calls
		}
	}
	return places
}

// variablesAt are the shared variables used on the line of a frame.
func (r *repairer) variablesAt(frame evidence.Frame) []any {
	file := r.program.File(frame.File)
	var found []any
	lineOf := func(n ast.Node) int { return r.program.Fset.Position(n.Pos()).Line }
	ast.Inspect(file.AST, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
		default:
			return true
		}
		if lineOf(n) > frame.Line || r.program.Fset.Position(n.End()).Line < frame.Line {
			return false
		}
		for _, a := range r.narrowing.Accesses(file, n) {
			if lineOf(a.Expr) == frame.Line {
				found = append(found, a.Var)
			}
		}
		return true
	})
	return found
}
