package validate

import (
	"bytes"
	"context"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/validate/rules"
)

// A test that sleeps and then asserts what others have done meanwhile, or that
// nothing has expired yet, fails when noise holds a goroutine up for longer than
// the test allows. It does so with any fix, so that noise cannot judge it.

// timedRuns is how often such a test must pass by itself, without noise and with
// nothing beside it; timedFloor is enough once timedEnough is over.
const (
	timedRuns   = 10
	timedFloor  = 3
	timedEnough = 10 * time.Second
)

// timed reports whether a test depends on time as far as can be told without a run
// of it: it sleeps, uses timers or measures the process, and the checker, whose time passes only when
// nothing can run, sees the original fail, but not by an assertion of this test. That
// a mutant passes it by itself is for [tester.alone], and that the checker finds no
// failure in the mutant for [Fix.missing].
func (v *Validator) timed(test string) bool { return Timed(v.o.Program, v.o.Original, test) }

// Timed reports whether a top-level test depends on time, by its source and what the
// checker says of the original program; nil is no word.
func Timed(p *analysis.Program, original *checker.Report, test string) bool {
	if test == "" || original == nil || original.Verdict != explore.Failed || !usesTime(p, test) {
		return false
	}
	return !slices.ContainsFunc(original.Failures, func(f checker.Failure) bool {
		return f.Kind == evidence.TestFailure && topLevel(f.Test) == test
	})
}

// onlyTimed are the tests by whose assertions alone a run under noise has failed, if
// all of them depend on time; nil otherwise.
func (v *Validator) onlyTimed(o noise.Outcome) []string {
	var tests []string
	for _, f := range o.Failures {
		name := topLevel(f.Test)
		if f.Kind != evidence.TestFailure || !v.timed(name) {
			return nil
		}
		tests = append(tests, name)
	}
	slices.Sort(tests)
	return slices.Compact(tests)
}

// disturbed reports whether a run without noise failed only because other things go
// on beside it: all that has failed are assertions of tests that depend on time.
func (t *tester) disturbed(r testRun, bad []string) bool {
	if len(bad) == 0 || r.Stop != gotool.Exited || bytes.Contains(r.Output, []byte("WARNING: DATA RACE")) {
		return false
	}
	return !slices.ContainsFunc(bad, func(name string) bool { return r.tests[name] != "FAIL" || !t.timed(name) })
}

// alone runs tests that depend on time by themselves, with nothing beside them. All
// have to pass, but for those, which it returns, that fail on the original in the
// same way: the machine is too slow for them.
func (t *tester) alone(ctx context.Context, bin string, tests []string) (ignored []string, err error) {
	if len(tests) == 0 {
		return nil, nil
	}
	defer t.rehearsal.pause(true)()
tests:
	for _, name := range slices.Compact(slices.Sorted(slices.Values(tests))) {
		var spent time.Duration
		for n := 0; n < timedRuns && (n < timedFloor || spent < timedEnough); n++ {
			r, err := t.once(ctx, bin, exactly([]string{name}))
			if err != nil {
				return nil, err
			}
			spent += r.Elapsed
			bad := r.failing([]string{name})
			if len(bad) == 0 && r.clean() {
				continue
			}
			before, err := t.flaky(ctx, false, bad)
			switch {
			case err != nil:
				return nil, err
			case !t.disturbed(r, bad) || len(before) == 0:
				return nil, t.rejected(r, bad, n)
			}
			ignored = append(ignored, name)
			continue tests
		}
	}
	return ignored, nil
}

// topLevel is the test of a subtest.
func topLevel(test string) string {
	name, _, _ := strings.Cut(test, "/")
	return name
}

// usesTime reports whether a test of the program, or a function of test files that it uses, sleeps, uses
// timers, or measures what the whole process does.
func usesTime(p *analysis.Program, test string) bool {
	if p == nil {
		return false
	}
	for _, pkg := range p.Packages {
		functions := functionsOfTests(pkg)
		for _, decl := range functions {
			if decl.Recv == nil && decl.Name.Name == test && callsClock(pkg.Info, decl.Body, functions, map[*ast.FuncDecl]bool{decl: true}) {
				return true
			}
		}
	}
	return false
}

// functionsOfTests are the functions that a package's test files declare.
func functionsOfTests(pkg *analysis.Package) map[types.Object]*ast.FuncDecl {
	functions := map[types.Object]*ast.FuncDecl{}
	for _, f := range pkg.Files {
		for _, d := range f.AST.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && f.Test && decl.Body != nil {
				functions[pkg.Info.Defs[decl.Name]] = decl
			}
		}
	}
	return functions
}

// callsClock reports whether code, or a function of tests that it names, has a call that waits for the clock
// or measures the process. seen are the functions that were looked at.
func callsClock(info *types.Info, body ast.Node, functions map[types.Object]*ast.FuncDecl, seen map[*ast.FuncDecl]bool) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return !found
		}
		fn, isFunc := info.Uses[id].(*types.Func)
		if !isFunc {
			return !found
		}
		found = found || rules.PassesTime(fn) && fn.Pkg().Path() != "runtime" || measures(fn)
		if decl := functions[fn.Origin()]; !found && decl != nil && !seen[decl] {
			seen[decl] = true
			found = callsClock(info, decl.Body, functions, seen)
		}
		return !found
	})
	return found
}

// measures reports whether a function tells what the whole process does, goroutines of other tests included.
func measures(fn *types.Func) bool {
	switch fn.FullName() {
	case "testing.AllocsPerRun", "testing.Benchmark", "runtime.ReadMemStats", "runtime/metrics.Read":
		return true
	}
	return false
}
