package cover

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/interleave/instrument"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

// ForcerOptions are what a [Forcer] works with.
type ForcerOptions struct {
	Tool      *gotool.Toolchain
	Program   *analysis.Program // its target says which tests are run
	Narrowing *analysis.Narrowing
	Workers   int    // processes at a time; 0: runtime.NumCPU()
	NoRace    bool   // build without -race
	Seed      uint64 // of the choices; 0: 1
	Observer  result.Observer
	Builds    *gotool.BuildMeter // measures its builds, besides those of others; nil: nobody asks
}

// A Forcer forces interleavings of a program that is loaded already, and of mutants
// of it. It is safe for concurrent use, but for Find.
type Forcer struct {
	o       ForcerOptions
	harness *noise.Harness
	shared  map[string]bool // variables, by key

	together *noise.Harness // builds several mutants in one executable
	numbers  instrument.Numbers
}

// A Found is a run of the original that failed, with what was forced in it.
type Found struct {
	File     *File
	Outcomes []noise.Outcome // the run, and those that repeated it
}

// Failed counts the runs that failed.
func (f *Found) Failed() (n int) {
	for _, o := range f.Outcomes {
		if !o.Pass {
			n++
		}
	}
	return n
}

// NewForcer prepares a forcer; Close removes what it built.
func NewForcer(o ForcerOptions) (*Forcer, error) {
	h, err := noise.New(noise.Config{Tool: o.Tool, Program: o.Program, Workers: o.Workers, NoRace: o.NoRace, Builds: o.Builds, For: "forced interleavings"})
	if err != nil {
		return nil, err
	}
	f := &Forcer{o: o, harness: h, shared: map[string]bool{}}
	f.together, err = noise.New(noise.Config{
		Tool: o.Tool, Program: o.Program, Workers: o.Workers, NoRace: o.NoRace, Builds: o.Builds, For: "forced interleavings", Rewrite: f.rewrite,
	})
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	for _, pkg := range o.Program.Packages {
		for _, obj := range pkg.Info.Defs {
			if v, ok := obj.(*types.Var); ok && o.Narrowing.Shared(v) {
				f.shared[key(v)] = true
			}
		}
	}
	return f, nil
}

// Close removes what the forcer built.
func (f *Forcer) Close() error { return errors.Join(f.harness.Close(), f.together.Close()) }

// Prepare builds mutants that are going to be forced, as many as possible in one executable. What it does
// not build is built when it is forced, and that says what is wrong with it.
func (f *Forcer) Prepare(ctx context.Context, sets []map[string][]byte) error {
	built, err := f.together.BuildAll(ctx, sets)
	for _, b := range built {
		if b != nil {
			err = errors.Join(err, b.Close()) // the executable is kept
		}
	}
	return err
}

// rewrite puts the hooks that record into the program with some files replaced.
func (f *Forcer) rewrite(files map[string][]byte) (map[string][]byte, gotool.Overlay) {
	hooked, err := f.hooked(files)
	if err != nil {
		return nil, nil // who builds it alone says why
	}
	return hooked.Files, hooked.Hooks
}

// hooked is the program with some files replaced, with hooks that record.
func (f *Forcer) hooked(files map[string][]byte) (*instrument.Result, error) {
	parts, err := f.parts(files)
	if err != nil {
		return nil, err
	}
	return instrument.Parts(f.o.Tool.GOROOT, parts, func(v *types.Var) bool { return f.shared[key(v)] }, &f.numbers), nil
}

// key is the same for a variable and its copy in a package that was checked anew. It may
// be that of others of the same name and type, too.
func key(v *types.Var) string {
	path := ""
	if v.Pkg() != nil {
		path = v.Pkg().Path()
	}
	return fmt.Sprint(path, " ", v.Name(), " ", types.TypeString(v.Type(), nil), " ", v.IsField())
}

// Find runs the tests, and forces what that predicts until a test fails as wanted, or
// the budget is spent. It is nil if nothing failed. The failure is repeated a few times.
func (f *Forcer) Find(ctx context.Context, budget time.Duration, wanted func(noise.Outcome) bool) (*Found, error) {
	c, done, err := f.built(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer done()
	c.o.Budget, c.o.First = budget, true
	c.tests = c.testsOf()
	c.end = time.Now().Add(budget)
	if err := c.maple(ctx); err != nil {
		return nil, err
	}
	for _, k := range c.result.Failures {
		if k.Forced == nil {
			continue
		}
		found := &Found{File: c.file(k)}
		for range again {
			a := c.attempt(ctx, candidate{k.test, k.root}, k.Seed, k.Late)
			if a.err != nil {
				return nil, a.err
			}
			if a.outcome.Pass || prompt(a.outcome, k.test.slowest) {
				found.Outcomes = append(found.Outcomes, a.outcome)
			}
		}
		if slices.ContainsFunc(found.Outcomes, func(o noise.Outcome) bool { return !o.Pass && wanted(o) }) {
			return found, nil
		}
	}
	return nil, nil
}

// Force builds the program with some files replaced, and runs it n times under each of the
// interleavings, until a run fails. There are no outcomes if none of their places is
// left. What does not compile is a *gotool.BuildError.
func (f *Forcer) Force(ctx context.Context, files map[string][]byte, all []*Found, n int) ([]noise.Outcome, error) {
	c, done, err := f.built(ctx, files)
	if err != nil {
		return nil, err
	}
	defer done()
	var outcomes []noise.Outcome
	for _, found := range all {
		root, err := c.rootOf(found.File)
		if err != nil {
			continue
		}
		t := newTest(found.File.Test, found.File.Run)
		t.slowest = time.Duration(found.File.Slowest) * time.Millisecond
		for range n {
			a := c.attempt(ctx, candidate{t, root}, found.File.Seed, found.File.Late)
			if a.err != nil {
				return outcomes, a.err
			}
			if !a.outcome.Pass && !prompt(a.outcome, t.slowest) {
				continue
			}
			if outcomes = append(outcomes, a.outcome); !a.outcome.Pass {
				return outcomes, nil
			}
		}
	}
	return outcomes, nil
}

// What a run may take beyond the slowest one that was not held, without that being the
// reason why it fails. Guessed.
const (
	promptFactor = 2
	promptTime   = 300 * time.Millisecond
)

// prompt reports whether a failed run did not fail because goroutines were held for
// long: a test may measure time.
func prompt(o noise.Outcome, slowest time.Duration) bool {
	switch k := o.Kind(); {
	case k.Concurrent():
		return true
	case k == evidence.Timeout, k == "":
		return false
	}
	return o.Elapsed <= promptFactor*slowest+promptTime
}

// built is a covering of a mutant, ready to run. done removes what was built.
func (f *Forcer) built(ctx context.Context, files map[string][]byte) (c *covering, done func(), err error) {
	o := Options{
		Run: f.o.Program.Target.Run, Workers: f.o.Workers, Seed: f.o.Seed, Observer: f.o.Observer,
	}.withDefaults()
	c = &covering{o: o, result: newResult(o), tool: f.o.Tool, program: f.o.Program, narrow: f.o.Narrowing, harness: f.harness}
	c.result.Target.Package = f.o.Program.Packages[0].Path
	if c.hooked, err = f.hooked(files); err != nil {
		return nil, nil, err
	}
	c.replaced = files
	if len(files) > 0 {
		c.binary = f.together.Known(files)
	}
	if err := c.remember(); err != nil {
		return nil, nil, err
	}
	if c.binary == nil {
		if err := c.build(ctx); err != nil {
			return nil, nil, err
		}
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		c.binary.Close()
		return nil, nil, fmt.Errorf("make a directory for the logs: %w", err)
	}
	c.dir = dir
	return c, func() {
		c.binary.Close() // what cannot be removed changes nothing
		remove()
	}, nil
}

// parts are the packages of the program with some files replaced.
func (f *Forcer) parts(files map[string][]byte) ([]instrument.Part, error) {
	var parts []instrument.Part
	for _, pkg := range f.o.Program.Packages {
		parts = append(parts, instrument.Part{Package: pkg, Fset: f.o.Program.Fset})
	}
	if len(files) == 0 {
		return parts, nil
	}
	fset, changed, err := f.o.Program.Recheck(files)
	if err != nil {
		return nil, fmt.Errorf("check a mutant's types: %w", err)
	}
	for i := range parts {
		if at := slices.IndexFunc(changed, func(p *analysis.Package) bool { return p.Path == parts[i].Path }); at >= 0 {
			parts[i] = instrument.Part{Package: changed[at], Fset: fset}
		}
	}
	return parts, nil
}
