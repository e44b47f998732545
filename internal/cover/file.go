package cover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/interleave"
	"mendel/interleave/hook"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

// Extension is that of the files of failures.
const Extension = ".iroot"

// fileName names the file of failure i.
func fileName(i int) string { return fmt.Sprintf("failure-%d%s", i+1, Extension) }

// fileFormat is the version of the files.
const fileFormat = 1

// A File is a failure with all that is needed to force it again.
type File struct {
	Format    int           `json:"format"`
	Dir       string        `json:"directory"` // of the module, absolute
	Package   string        `json:"package"`   // import path
	Flags     []string      `json:"flags,omitempty"`
	Test      string        `json:"test"`
	Run       string        `json:"run"` // -run pattern
	Kind      evidence.Kind `json:"failure"`
	Signature string        `json:"signature"`
	Message   string        `json:"message"`
	Source    string        `json:"source"` // fingerprint
	Strategy  string        `json:"strategy"`
	Seed      uint64        `json:"seed"`
	Plain     bool          `json:"plain,omitempty"` // without noise, and nothing was forced
	Late      bool          `json:"late,omitempty"`  // goroutines begin late
	Idiom     int           `json:"idiom,omitempty"` // of what was forced; 0: nothing
	Ends      []end         `json:"ends,omitempty"`
	Text      string        `json:"text,omitempty"`   // what was forced, for people
	Events    int           `json:"events,omitempty"` // of the test's longest run that profiled it
	Slowest   int64         `json:"slowest"`          // run of the test that profiled it, in milliseconds
}

// file is the file of a failure.
func (c *covering) file(f Failure) *File {
	file := &File{
		Format: fileFormat, Dir: c.tool.ModuleDir, Package: c.packagePath(), Flags: c.program.Target.Flags,
		Test: f.Test, Run: f.test.pattern, Kind: f.Kind, Signature: f.Signature, Message: f.Message, Source: c.sourceOfAll(),
		Strategy: c.o.Strategy, Seed: f.Seed, Plain: f.Plain, Late: f.Late, Events: f.test.Events,
		Slowest: f.test.slowest.Milliseconds(),
	}
	if f.Forced != nil {
		file.Idiom, file.Ends, file.Text = f.root.Idiom, c.endsOf(f.root), f.Forced.Text
	}
	return file
}

// Unforced is the file of a failure that was seen with nothing forced, in a run of the
// tests that match a pattern: as they are ([Stress]), or with the noise of a seed ([Noise]).
func Unforced(p *analysis.Program, strategy, run string, seed uint64, f evidence.Failure) *File {
	c := &covering{program: p, memory: &memory{tests: map[string]string{}}}
	c.fingerprint()
	if run == "" {
		run = "." // any test
	}
	return &File{
		Format: fileFormat, Dir: p.Module, Package: c.packagePath(), Flags: p.Target.Flags,
		Test: f.Test, Run: run, Kind: f.Kind, Signature: f.Signature, Message: f.Message, Source: c.sourceOfAll(),
		Strategy: strategy, Seed: seed, Plain: strategy == Stress,
	}
}

// Write writes a file, whole or not at all.
func (f *File) Write(name string) error {
	data, err := result.Indent(f)
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(name, data); err != nil {
		return fmt.Errorf("write what was forced: %w", err)
	}
	return nil
}

// packagePath is the import path of what is tested, also when there are external tests
// alone.
func (c *covering) packagePath() string {
	pkg := c.program.Packages[0]
	if slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool { return !f.Test }) {
		return pkg.Path
	}
	return strings.TrimSuffix(pkg.Path, "_test")
}

// ReadFile reads the file of a failure. The error is fs.ErrNotExist if there is none.
func ReadFile(name string) (*File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read what was forced: %w", err)
	}
	f := &File{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("read what was forced from %s: %w", name, err)
	}
	switch {
	case f.Format != fileFormat:
		return nil, fmt.Errorf("read what was forced from %s: it has format %d, this Mendel knows format %d only", name, f.Format, fileFormat)
	case f.Dir == "" || f.Package == "" || f.Run == "":
		return nil, fmt.Errorf("read what was forced from %s: directory, package or run is missing", name)
	}
	return f, nil
}

// saveFailures writes the files of the failures, and removes those of an earlier run.
func (c *covering) saveFailures() error {
	if c.o.Out == "" {
		return nil
	}
	if err := result.Remove(c.o.Out, "failure-*.iroot"); err != nil {
		return err
	}
	for i := range c.result.Failures {
		f := &c.result.Failures[i]
		if err := c.file(*f).Write(filepath.Join(c.o.Out, fileName(i))); err != nil {
			return err
		}
		f.File = fileName(i)
	}
	return nil
}

// A Replayed is what forcing a failure again showed.
type Replayed struct {
	Runs    int
	Exposed int                // runs in which what was to be forced came about
	Failed  int                // runs
	Same    int                // runs that failed as recorded
	Changed bool               // the source is another than that which failed
	Failure []evidence.Failure // of the first run that failed
}

// Replay runs the test of a failure again, up to n times, and forces what was forced
// then. dir is the directory of the module; "": that which the file names. The error is
// for what could not be run at all: a package that does not build, a place that is gone.
func Replay(ctx context.Context, f *File, dir string, n int, observer result.Observer) (*Replayed, error) {
	if dir == "" {
		dir = f.Dir
	}
	o := Options{
		Dir: dir, Package: f.Package, Run: f.Run, Flags: f.Flags, Strategy: f.Strategy, Seed: f.Seed, Workers: 1, Observer: observer,
	}.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	c := &covering{o: o, result: newResult(o)}
	res := &Replayed{}
	err := c.prepared(ctx, func() error { return c.replay(ctx, f, n, res) })
	return res, errors.Join(err, c.forget())
}

// replay makes the runs of Replay.
func (c *covering) replay(ctx context.Context, f *File, n int, res *Replayed) error {
	t := c.test(f.Test)
	if t == nil && f.Test == "" { // not known
		t = newTest("", f.Run)
	}
	if t == nil {
		return fmt.Errorf("there is no test %s any more", f.Test)
	}
	t.pattern, t.slowest, t.Events = f.Run, time.Duration(f.Slowest)*time.Millisecond, f.Events
	res.Changed = c.sourceOfAll() != f.Source
	root, err := c.rootOf(f)
	if err != nil {
		return err
	}
	c.o.Observer.Phase("running %s", f.Test)
	for range n {
		outcome, exposed, err := c.again(ctx, t, f, root)
		if err != nil {
			return err
		}
		res.add(f, outcome, exposed)
	}
	return nil
}

// rootOf finds what a file says was forced; the zero iRoot if nothing was.
func (c *covering) rootOf(f *File) (r interleave.IRoot, err error) {
	if f.Idiom == 0 {
		return r, nil
	}
	r, ok := c.memory.resolve(f.Idiom, f.Ends)
	if !ok {
		return r, fmt.Errorf("the places of the interleaving are gone: %s", f.Text)
	}
	return r, nil
}

// again makes the run of a file once more.
func (c *covering) again(ctx context.Context, t *test, f *File, root interleave.IRoot) (o noise.Outcome, exposed bool, err error) {
	switch {
	case root.Idiom > 0:
		a := c.attempt(ctx, candidate{t, root}, f.Seed, f.Late)
		return a.outcome, a.exposed, a.err
	case f.Strategy == Maple:
		o, _, err = c.once(ctx, profiling(t, f.Seed, f.Plain), hook.Script{})
	default:
		r := repetition{test: t, seed: f.Seed}
		c.repetition(ctx, &r)
		o, err = r.outcome, r.err
	}
	return o, false, err
}

// add counts one more run.
func (res *Replayed) add(f *File, o noise.Outcome, exposed bool) {
	res.Runs++
	if exposed {
		res.Exposed++
	}
	if o.Pass {
		return
	}
	if res.Failed++; res.Failed == 1 {
		res.Failure = o.Failures
	}
	for _, g := range o.Failures {
		if g.Signature == f.Signature {
			res.Same++
			return
		}
	}
}
