package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"mendel/analysis/evidence"
	"mendel/internal/gotool"
)

// runs is how often a test is run with each number of processors.
const runs = 20

// processors are those numbers.
var processors = []int{1, 2, mostProcessors}

const mostProcessors = 8

// few is how often it is run to see whether it is worth more.
const few = 2

// testTimeout is when a run counts as hanging.
const testTimeout = 10 * time.Second

// longestRun is how long a test may take that is written here, and that others wait for.
const longestRun = time.Second

// path is the file of the test, in the directory of its package.
func (m *making) path() string {
	name := strings.ToLower(strings.TrimPrefix(m.test.name, "TestRegress"))
	if name == "" {
		name = "test"
	}
	return filepath.Join(m.test.pkg.Dir, "regress_"+name+"_test.go")
}

// files are those that a build with a test has besides the package's.
func (m *making) files(t *Test) (gotool.Overlay, error) {
	if t.Source == "" {
		return nil, nil
	}
	overlay := gotool.Overlay{t.File: []byte(t.Source)}
	if !t.Order {
		return overlay, nil
	}
	changes, err := m.o.Order.Changes(m.tool.ModuleDir)
	if err != nil {
		return nil, none("%v", err)
	}
	for name, text := range changes {
		if text != nil {
			overlay[filepath.Join(m.tool.ModuleDir, filepath.FromSlash(name))] = text
		}
	}
	return overlay, nil
}

// build builds the package's tests with a test.
func (m *making) build(ctx context.Context, t *Test, race bool) (string, error) {
	overlay, err := m.files(t)
	if err != nil {
		return "", err
	}
	exe, err := m.executable(ctx, string(t.Means), race, overlay)
	if failed := (*gotool.BuildError)(nil); errors.As(err, &failed) && t.Source != "" {
		return "", none("the test does not build: %v", err)
	}
	return exe, err
}

// executable builds the package's tests with other files besides.
func (m *making) executable(ctx context.Context, name string, race bool, overlay gotool.Overlay) (string, error) {
	exe := filepath.Join(m.dir, name+".test")
	if runtime.GOOS == "windows" {
		exe += ".exe"
	}
	err := m.tool.BuildTest(ctx, gotool.BuildOptions{Package: m.file.Package, Flags: m.file.Flags, Race: race, Overlay: overlay, Output: exe, Once: true})
	if err != nil {
		return "", fmt.Errorf("build the tests: %w", err)
	}
	return exe, nil
}

// A repeat says how a test is run again and again.
type repeat struct {
	exe, test string
	times     int                          // with each number of processors
	count     int                          // within one process; 0: 1
	variable  string                       // what the copy that is tried reads, "NAME=value"
	failed    func(*gotool.RunResult) bool // tells a run that fails
	until     bool                         // a run that this says of ends it; else none does
}

// atOnce is how many processes that wait more than they work run at a time.
const atOnce = 6

// repeat runs a test. The processors take turns, so that the first runs tell most. A test that hangs, or
// waits, takes its time without a processor: then several runs are made at once.
func (m *making) repeat(ctx context.Context, p repeat) (Runs, error) {
	var r Runs
	count := max(p.count, 1)
	side := 1
	all := p.times * len(processors)
	for next := 0; next < all; {
		group := make([]outcome, min(side, all-next))
		var wg sync.WaitGroup
		for i := range group {
			wg.Go(func() { group[i] = m.once(ctx, p, count, processors[(next+i)%len(processors)]) })
		}
		wg.Wait()
		next += len(group)
		for _, o := range group {
			if err := cmp.Or(o.err, ctx.Err()); err != nil {
				return r, fmt.Errorf("run %s: %w", p.test, err)
			}
			r.Runs += count
			r.Longest = max(r.Longest, o.result.Elapsed.Seconds()/float64(count))
			failed := p.failed(&o.result)
			if failed {
				r.Failed += count
			}
			if p.until == failed {
				return r, nil
			}
			if o.result.Elapsed > slow && o.result.CPU < o.result.Elapsed/4 {
				side = atOnce
			}
		}
	}
	return r, nil
}

// slow is how long a run takes that others need not wait for.
const slow = 200 * time.Millisecond

// An outcome is what became of a run.
type outcome struct {
	result gotool.RunResult
	err    error
}

// once runs a test in a process, with a number of processors.
func (m *making) once(ctx context.Context, p repeat, count, processors int) outcome {
	limit := time.Duration(count) * testTimeout
	result, err := m.tool.Run(ctx, gotool.RunOptions{
		Path: p.exe, Dir: m.test.pkg.Dir, Timeout: limit + 5*time.Second,
		Args: []string{
			"-test.run=^" + p.test + "$", fmt.Sprintf("-test.count=%d", count), "-test.v",
			fmt.Sprintf("-test.cpu=%d", processors), "-test.timeout=" + limit.String(),
		},
		Env: []string{p.variable, "GORACE=atexit_sleep_ms=0"}, // which is a second
	})
	return outcome{result, err}
}

// red runs a test that is to fail as it is wanted; what does not ends it.
func (m *making) red(ctx context.Context, exe, test, variable string, times int) (Runs, error) {
	return m.repeat(ctx, repeat{exe: exe, test: test, times: times, variable: variable, failed: m.wanted.seen})
}

// accept runs a test as often as it must fail, and with the patch as often as it must pass.
func (m *making) accept(ctx context.Context, t *Test) (*Test, error) {
	m.o.Phase("running %s", t.Name)
	t.Race = m.race
	for _, race := range []bool{false, true} {
		if m.race && !race {
			continue
		}
		exe, err := m.build(ctx, t, race)
		if err != nil {
			return nil, err
		}
		failed := m.wanted.seen
		if race != m.race { // the detector may be the first to see it
			failed = func(r *gotool.RunResult) bool { return m.wanted.seen(r) || raced(r) }
		}
		before, err := m.repeat(ctx, repeat{exe: exe, test: t.Name, times: runs, failed: failed})
		if err != nil {
			return nil, err
		}
		t.Before.add(before)
		if before.Failed < before.Runs {
			return nil, none("%s%s does not fail as it should in run %d", t.Name, with(t.Orders), t.Before.Runs)
		}
	}
	return t, m.mended(ctx, t)
}

// raced reports whether a run has failed by a data race.
func raced(r *gotool.RunResult) bool {
	return r.ExitCode != 0 && slices.ContainsFunc(evidence.Parse(r.Output), func(f evidence.Failure) bool { return f.Kind == evidence.Race })
}

// with words the order of a test.
func with(orders string) string {
	if orders == "" {
		return ""
	}
	return fmt.Sprintf(" with the order %q", orders)
}

// mended asks whether a test passes with the patch, if there is one.
func (m *making) mended(ctx context.Context, t *Test) error {
	if m.o.Fixed == nil {
		return nil
	}
	m.o.Phase("running %s with the patch", t.Name)
	overlay, err := m.files(t)
	if err != nil {
		return err
	}
	all := gotool.Overlay{}
	maps.Copy(all, overlay)
	for _, f := range m.o.Fixed.Files {
		if f.After == nil {
			return none("the patch removes %s", f.Path)
		}
		all[filepath.Join(m.o.Fixed.Root, filepath.FromSlash(f.Path))] = f.After
	}
	t.After = &Runs{}
	for _, race := range []bool{false, true} {
		exe, err := m.executable(ctx, "fixed", race, all)
		if err != nil {
			return err
		}
		after, err := m.green(ctx, exe, t.Name)
		if err != nil {
			return err
		}
		t.After.add(after)
		if after.Failed > 0 {
			return none("%s fails with the patch", t.Name)
		}
	}
	if t.Source != "" && t.After.Longest > longestRun.Seconds() {
		return none("%s takes %.1f seconds with the patch", t.Name, t.After.Longest)
	}
	return nil
}

// green runs a test that is to pass: in few processes, and in one for each run if a test
// cannot be run twice in one.
func (m *making) green(ctx context.Context, exe, test string) (Runs, error) {
	failed := func(r *gotool.RunResult) bool { return r.ExitCode != 0 }
	together, err := m.repeat(ctx, repeat{exe: exe, test: test, times: 1, count: runs, failed: failed, until: true})
	if err != nil || together.Failed == 0 {
		return together, err
	}
	return m.repeat(ctx, repeat{exe: exe, test: test, times: runs, failed: failed, until: true})
}

func (r *Runs) add(more Runs) {
	r.Runs += more.Runs
	r.Failed += more.Failed
	r.Longest = max(r.Longest, more.Longest)
}
