package original

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/validate"
)

// A Cause is failures of the original that are taken to have one.
type Cause struct {
	Failures []int    // in the order of the baseline
	Tests    []string // that show them
}

// Causes tells the failures apart by their causes. Where they seem to have
// one, or it is not known which tests show them, there is at most one.
func (b *Baseline) Causes() (all []Cause) {
	groups := b.groups()
	if kept := slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return g.late }); len(kept) > 0 {
		groups = kept // what noise delays is no cause of its own
	}
	for _, g := range groups {
		all = append(all, Cause{g.failures, slices.Sorted(maps.Keys(g.tests))})
	}
	return all
}

// groups are the failures that have something in common, each group for a cause. There are none
// where it is not known which tests show a failure.
func (b *Baseline) groups() (groups []group) {
	tests := b.testsBySignature()
	for i, f := range b.Failures {
		g := group{failures: []int{i}, keys: map[any]bool{}, tests: map[string]bool{}}
		for name := range tests[f.Signature] {
			g.tests[name], g.keys["test "+name] = true, true
		}
		if len(g.tests) == 0 {
			return nil
		}
		for _, key := range b.placesOf(f.Failure) {
			g.keys[key] = true
		}
		g.late = f.Kind == evidence.TestFailure && !slices.ContainsFunc(slices.Collect(maps.Keys(g.tests)), func(name string) bool {
			return !validate.Timed(b.setup.Program, b.Checked, name)
		})
		groups = join(groups, g)
	}
	return groups
}

// A group is failures on the way to a cluster. Its keys are what it shares with
// failures that belong to it: tests, variables, places.
type group struct {
	failures []int
	tests    map[string]bool
	keys     map[any]bool
	late     bool // all are assertions of tests that depend on time
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
		g.late = g.late && other.late
	}
	slices.Sort(g.failures)
	apart = append(apart, g)
	slices.SortFunc(apart, func(a, b group) int { return a.failures[0] - b.failures[0] })
	return apart
}

// testsBySignature are the top-level tests that have shown each failure. One
// that is known of no test has an empty set.
func (b *Baseline) testsBySignature() map[string]map[string]bool {
	tests := map[string]map[string]bool{}
	add := func(f evidence.Failure) {
		if tests[f.Signature] == nil {
			tests[f.Signature] = map[string]bool{}
		}
		if name, _, _ := strings.Cut(f.Test, "/"); name != "" {
			tests[f.Signature][name] = true
		}
	}
	for _, o := range b.Noised {
		for _, f := range o.Failures {
			add(f)
		}
	}
	if b.Checked != nil {
		for _, f := range b.Checked.Failures {
			add(f.Failure)
		}
	}
	return tests
}

// placesOf are the functions of the module in which a failure's goroutines
// were, tests left out, and the shared variables used there.
func (b *Baseline) placesOf(f evidence.Failure) []any {
	var places []any
	for _, s := range f.Stacks {
		for _, frame := range s.Frames {
			file := b.setup.Program.File(frame.File)
			if file == nil {
				continue
			}
			if !file.Test {
				places = append(places, fmt.Sprintf("%s %s", file.Rel, frame.Func))
			} else if name, ok := testOf(frame.Func); ok {
				places = append(places, "test "+name) // another may have been running, too
			}
			places = append(places, b.variablesAt(frame)...)
			break // what is further out only calls
		}
	}
	return places
}

// testOf is the test that a function, as the runtime prints it, belongs to.
func testOf(fn string) (name string, ok bool) {
	name, _, _ = strings.Cut(evidence.ShortFunc(fn), ".")
	return name, strings.HasPrefix(name, "Test")
}

// variablesAt are the shared variables used on the line of a frame.
func (b *Baseline) variablesAt(frame evidence.Frame) []any {
	program := b.setup.Program
	file := program.File(frame.File)
	var found []any
	lineOf := func(node ast.Node) int { return program.Fset.Position(node.Pos()).Line }
	ast.Inspect(file.AST, func(node ast.Node) bool {
		switch node.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
		default:
			return true
		}
		if lineOf(node) > frame.Line || program.Fset.Position(node.End()).Line < frame.Line {
			return false
		}
		for _, a := range b.narrowing.Accesses(file, node) {
			if lineOf(a.Expr) == frame.Line {
				found = append(found, a.Var)
			}
		}
		return true
	})
	return found
}
