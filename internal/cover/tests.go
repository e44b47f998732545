package cover

import (
	"context"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"mendel/fitness/noise"
	"mendel/interleave"
	"mendel/interleave/hook"
)

// A test is one under way.
type test struct {
	*Test
	pattern   string // -run
	predicted interleave.Set
	exposed   interleave.Set
	attempts  map[interleave.IRoot]int
	failed    map[string]bool // signatures that runs without forcing have shown
	slowest   time.Duration   // of the runs that profiled it
	quiet     int             // runs in a row that profiled it and predicted nothing new
}

// test finds a test by its name; nil if it is not to be covered.
func (c *covering) test(name string) *test {
	if i := slices.IndexFunc(c.tests, func(t *test) bool { return t.Name == name }); i >= 0 {
		return c.tests[i]
	}
	return nil
}

// testsOf lists the tests that -run selects.
func (c *covering) testsOf() []*test {
	first, rest, _ := strings.Cut(c.o.Run, "/")
	selects := regexp.MustCompile(first) // a pattern that compiles as a whole was checked
	var tests []*test
	for _, pkg := range c.program.Packages {
		if pkg.Path != c.program.Packages[0].Path && pkg.Path != c.program.Packages[0].Path+"_test" {
			continue
		}
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !f.Test || !ok || fn.Recv != nil || !isTest(fn) || !selects.MatchString(fn.Name.Name) {
					continue
				}
				pattern := "^" + fn.Name.Name + "$"
				if rest != "" {
					pattern += "/" + rest
				}
				tests = append(tests, newTest(fn.Name.Name, pattern))
			}
		}
	}
	return tests
}

// newTest is a test of which nothing is known.
func newTest(name, pattern string) *test {
	return &test{
		Test: &Test{Name: name}, pattern: pattern,
		predicted: interleave.Set{}, exposed: interleave.Set{},
		attempts: map[interleave.IRoot]int{}, failed: map[string]bool{},
	}
}

// isTest reports whether go test takes a function for a test.
func isTest(fn *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, "Test")
	if !ok || fn.Name.Name == "TestMain" || fn.Type.Params.NumFields() != 1 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(r)
}

// profile runs a test without forcing anything, the first time without noise. It
// reports whether that predicts anything new.
func (c *covering) profile(ctx context.Context, t *test) (more bool, err error) {
	plain, seed := t.Profiled == 0, c.o.Seed+uint64(t.Profiled)
	outcome, trace, err := c.once(ctx, profiling(t, seed, plain), hook.Script{})
	if err != nil {
		return false, err
	}
	t.Profiled++
	if !outcome.Hung() {
		t.slowest = max(t.slowest, outcome.Elapsed)
	}
	t.Events = max(t.Events, len(trace.Events))
	l := learnt(trace)
	fresh := c.fresh(l)
	more = c.learn(t, l)
	if t.quiet++; more {
		t.quiet = 0
	}
	c.failures(t, outcome, Failure{Plain: plain, Seed: seed, test: t, fresh: fresh})
	return more, nil
}

// profiling are the options of a run that forces nothing.
func profiling(t *test, seed uint64, plain bool) noise.RunOptions {
	return noise.RunOptions{Seed: seed, Quiet: plain, Run: t.pattern}
}

// saturate profiles the tests with noise until runs predict nothing new. It reports
// whether any did.
func (c *covering) saturate(ctx context.Context) (more bool, err error) {
	for _, t := range c.tests {
		for quiet := 0; t.Profiled < c.o.Profile && !c.used(t) && quiet < saturated && !c.over(); {
			if quiet == 0 {
				c.o.Observer.Phase("profiling %s with noise", t.Name)
			}
			grew, err := c.profile(ctx, t)
			if err != nil {
				return more, err
			}
			quiet++
			if grew {
				more, quiet = true, 0
			}
		}
	}
	return more, nil
}

// A lesson is what a run exposed, and predicts.
type lesson struct {
	exposed, predicted interleave.Set
	complete           bool
}

func learnt(t interleave.Trace) lesson {
	predicted, complete := interleave.Predict(t)
	return lesson{interleave.Observe(t), predicted, complete}
}

// learn takes over what a run showed. It reports whether that predicts anything new.
func (c *covering) learn(t *test, l lesson) (more bool) {
	c.runs++
	t.Incomplete = t.Incomplete || !l.complete
	t.exposed.Add(l.exposed)
	c.exposes(t, l.exposed)
	c.result.Growth = append(c.result.Growth, len(c.memory.exposed))
	more = t.predicted.Add(l.predicted) > 0
	t.Growth = append(t.Growth, len(t.exposed))
	return more
}

// failures takes over the failures of a run that are new, and reports whether any is.
// how says how they came about.
func (c *covering) failures(t *test, o noise.Outcome, how Failure) (shown bool) {
	if c.observe != nil {
		c.observe(t, o)
	}
	for _, f := range o.Failures {
		if t.failed[f.Signature] {
			continue
		}
		t.failed[f.Signature], shown = true, true
		how.Failure, how.Test, how.Run = f, t.Name, c.runs
		c.result.Failures = append(c.result.Failures, how)
	}
	return shown
}

// once runs a test once, and reads what was recorded of it, if anything is.
func (c *covering) once(ctx context.Context, o noise.RunOptions, s hook.Script) (noise.Outcome, interleave.Trace, error) {
	if !c.recording() {
		outcome, err := c.harness.Run(ctx, c.binary, o)
		return outcome, interleave.Trace{}, err
	}
	log := filepath.Join(c.dir, fmt.Sprintf("log%d", c.logs.Add(1)))
	if err := interleave.MakeLog(log); err != nil {
		return noise.Outcome{}, interleave.Trace{}, err
	}
	defer os.Remove(log)
	o.Env = append(o.Env, hook.LogEnv+"="+log)
	if s.Idiom > 0 {
		o.Env = append(o.Env, hook.ForceEnv+"="+s.String())
	}
	outcome, err := c.harness.Run(ctx, c.binary, o)
	if err != nil {
		return outcome, interleave.Trace{}, err
	}
	trace, err := interleave.ReadLog(log)
	return outcome, trace, err
}
