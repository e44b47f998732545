package verdicts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"mendel/analysis"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// Options say how many programs to compare, and how.
type Options struct {
	Programs int // positive
	Seed     uint64
	Strategy string // of the checker; "": auto
	Runs     int    // noised runs of each program that the checker calls exhausted; 0: none
	Out      string // directory of verdicts.json and verdicts.md; "": print only
	Command  string // to type, for the report
}

const (
	together   = 100    // programs in a package
	stateLimit = 30_000 // of a program; larger ones are not compared
	schedules  = 2_000  // of a program; one that needs more is compared in part
	// A search ends with its schedules. This is for a checker that hangs.
	checkLimit = time.Minute
	runLimit   = 20 * time.Second
)

// Run compares random programs and prints a table. Interrupted, it prints what it
// has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if o.Programs <= 0 || o.Runs < 0 {
		return errors.New("--programs must be positive, --runs must not be negative")
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	r := &report{Machine: tables.ThisMachine(tool), Seed: o.Seed, Runs: o.Runs}
	var broken error
	for seed := o.Seed * 1_000_000; len(r.Programs) < o.Programs && broken == nil; {
		var some []*comparison
		some, seed = draw(seed, min(together, o.Programs-len(r.Programs)), &r.Large)
		if broken = compare(ctx, some, o.Strategy, o.Runs); broken == nil {
			known := len(r.Failures())
			r.Programs = append(r.Programs, some...)
			wrong := r.Failures()
			fmt.Fprintf(stderr, "%d programs, %d wrong\n", len(r.Programs), len(wrong))
			for _, w := range wrong[known:] {
				fmt.Fprintln(stderr, w)
			}
		}
	}
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "verdicts", Command: o.Command}, broken)
}

// A comparison is a program, how it can end, and what was found.
type comparison struct {
	Seed      uint64          `json:"seed"` // of the program
	Want      []string        `json:"want"` // kinds of endings
	Verdict   explore.Verdict `json:"verdict"`
	Found     []string        `json:"found,omitempty"` // kinds of failures
	Schedules int             `json:"schedules"`
	Reason    string          `json:"reason,omitempty"`
	Noised    int             `json:"noised,omitempty"` // runs
	Problem   string          `json:"problem,omitempty"`
	Source    string          `json:"source,omitempty"` // of a program with a problem

	program *program
}

// draw draws n programs from a seed on, and returns the next seed. Programs with
// too many states are passed over, and most of those that always fail: the bugs
// that are hard to find are those of programs that may end well.
func draw(seed uint64, n int, large *int) (some []*comparison, next uint64) {
	for ; len(some) < n; seed++ {
		p := generate(seed)
		e := enumerate(p, stateLimit)
		if e.partial {
			*large++
			continue
		}
		if !e.kinds["ok"] && seed%8 != 0 {
			continue
		}
		if p.refuse(seed, e.outcomes); p.refused != nil {
			e = enumerate(p, stateLimit)
		}
		some = append(some, &comparison{Seed: seed, Want: slices.Sorted(maps.Keys(e.kinds)), program: p})
	}
	return some, seed
}

// compare checks some programs as tests of one package.
func compare(ctx context.Context, some []*comparison, strategy string, runs int) (err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	var programs []*program
	for _, c := range some {
		programs = append(programs, c.program)
	}
	text, names := source(programs)
	for name, text := range map[string]string{"go.mod": moduleFile, "verdicts_test.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return err
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		return err
	}
	if err := check(ctx, checker.Config{Tool: tool, Program: program}, strategy, some, names); err != nil {
		return err
	}
	return runNoised(ctx, noise.Config{Tool: tool, Program: program}, some, names, runs)
}

// check has the checker explore the programs, and compares.
func check(ctx context.Context, config checker.Config, strategy string, some []*comparison, names []string) (err error) {
	k, err := checker.New(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	b, err := k.Build(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return each(len(some), func(i int) error {
		// A report of failures does not tell whether there was more to explore, so
		// what is missed is looked for once more.
		for _, most := range []int{schedules, 50 * schedules} {
			r, err := b.Check(ctx, checker.Search{
				Tests: names[i : i+1], Strategy: strategy, Preemptions: -1, Schedules: most, All: true, Seed: 1, Budget: checkLimit,
			})
			if err != nil {
				return err
			}
			if some[i].judge(r); !some[i].incomplete() {
				break
			}
			if strategy != "" { // one that gives up says nothing of what else there is
				some[i].Problem, some[i].Source = "", ""
				break
			}
		}
		return nil
	})
}

// incomplete reports whether some failures were found and others were not.
func (c *comparison) incomplete() bool {
	return c.Verdict == explore.Failed && strings.HasPrefix(c.Problem, missedWord)
}

// each calls a function for 0 to n-1, on all processors.
func each(n int, do func(i int) error) error {
	var wg sync.WaitGroup
	errs := make([]error, n)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			errs[i] = do(i)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

const missedWord = "missed: "

// judge compares what the checker has found with what there is.
func (c *comparison) judge(r *checker.Report) {
	c.Verdict, c.Reason, c.Schedules, c.Found, c.Problem, c.Source = r.Verdict, r.Reason, r.Schedules, nil, "", ""
	for _, f := range r.Failures {
		kind := string(f.Kind)
		if strings.Contains(f.Message, "fatal error: ") {
			kind = "panic" // the model makes no difference
		}
		if !slices.Contains(c.Found, kind) {
			c.Found = append(c.Found, kind)
		}
	}
	slices.Sort(c.Found)
	missed := slices.DeleteFunc(slices.Clone(c.Want), func(kind string) bool { return kind == "ok" || slices.Contains(c.Found, kind) })
	wrong := slices.DeleteFunc(slices.Clone(c.Found), func(kind string) bool { return slices.Contains(c.Want, kind) })
	switch {
	case len(wrong) > 0:
		c.Problem = "false alarm: " + strings.Join(wrong, ", ")
	case c.Verdict == explore.Inconclusive:
		c.Problem = "inconclusive: " + tables.FirstLine(c.Reason)
	case c.Verdict == explore.Passed: // not all was explored
	case slices.Contains(c.Found, "race"): // which ends an execution, and hides what comes after
	case len(missed) > 0:
		c.Problem = missedWord + strings.Join(missed, ", ")
	}
	if c.Problem != "" {
		c.Source, _ = source([]*program{c.program})
	}
}

// runNoised runs what the checker calls exhausted under noise and the race detector.
func runNoised(ctx context.Context, config noise.Config, some []*comparison, names []string, runs int) (err error) {
	if runs == 0 || config.Tool.RaceErr != nil {
		return nil
	}
	h, err := noise.New(config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	b, err := h.Build(ctx, noise.Noised, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return each(len(some), func(i int) error {
		if v := some[i].Verdict; v != explore.Exhausted && v != explore.Covered {
			return nil
		}
		return some[i].noised(ctx, config, b, names[i], runs)
	})
}

// noised makes noised runs of one program.
func (c *comparison) noised(ctx context.Context, config noise.Config, b *noise.Binary, name string, runs int) (err error) {
	program := *config.Program // the same, of which one test is run
	program.Target.Run = "^" + name + "$"
	config.Program = &program
	h, err := noise.New(config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	for seed := range runs {
		o, err := h.Run(ctx, b, noise.RunOptions{Seed: uint64(seed) + 1, Timeout: runLimit})
		if err != nil {
			return err
		}
		c.Noised++
		if len(o.Failures) > 0 {
			c.Problem = cmp.Or(c.Problem, "exhausted, and a run failed: "+tables.FirstLine(o.Failures[0].Message))
		}
	}
	return nil
}
