package hostile

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// Options say which hostile programs to run, on which ways, within which limits.
type Options struct {
	Only    []string // parts of names; none: all
	Ways    []string // some of Ways
	Memory  int64    // MiB, positive
	Disk    int64    // MiB, positive
	Victim  string   // this process is the one to be killed, in that sandbox; "": it is not
	Out     string   // directory of hostile.json and hostile.md; "": print only
	Command string   // to type, for the report
}

// Ways to run what is hostile.
const (
	byNoise = "noise"
	byCheck = "check"
	byBuild = "build"
	byKill  = "kill"
)

// Ways are all of them.
var Ways = []string{byNoise, byCheck, byBuild, byKill}

// overtime is how long it may take to end a program at its limit: a grace period
// of a second, a search through the processes, the removal of its files. A busy
// machine needs time for these.
const overtime = 10 * time.Second

//go:embed testdata/hostile.txtar
var sourceText []byte

// A report is the outcome of the hostile command, as saved in
// hostile.json.
type report struct {
	tables.Machine
	User   string     `json:"user"`   // whether the kernel lets us do everything: "root" or "user"
	Memory int64      `json:"memory"` // limit, bytes
	Disk   int64      `json:"disk"`   // limit, bytes
	Cases  []*outcome `json:"cases"`
}

// An outcome is what became of one kind on one way.
type outcome struct {
	Name      string   `json:"name"`
	Path      string   `json:"path"`
	Ended     string   `json:"ended"`  // by which limit, or how
	Detail    string   `json:"detail"` // what Mendel says of it
	Seconds   float64  `json:"seconds"`
	Limit     float64  `json:"limit"`               // seconds
	Peak      int64    `json:"peak"`                // most memory of its processes, bytes, as seen every 20 ms; of a build 0
	Processes int      `json:"processes,omitempty"` // left behind
	Files     []string `json:"files,omitempty"`     // left behind
	Stall     float64  `json:"stall"`               // seconds: the longest time that this process got no processor
	Problems  []string `json:"problems,omitempty"`
}

// Run runs all kinds on all ways and prints the table. Interrupted, it
// prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	for _, p := range o.Ways {
		if !slices.Contains(Ways, p) {
			return fmt.Errorf("--path %s: there are %s", p, strings.Join(Ways, ", "))
		}
	}
	if o.Memory <= 0 || o.Disk <= 0 {
		return errors.New("--memory and --disk must be positive")
	}
	if o.Victim != "" {
		return beVictim(ctx, o, &sandbox{dir: o.Victim})
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	a, err := newSandbox(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.remove()) }()
	tool, err := gotool.Open(ctx, a.module())
	if err != nil {
		return err
	}
	r := &report{Machine: tables.ThisMachine(tool), User: "user", Memory: o.Memory << 20, Disk: o.Disk << 20}
	if os.Geteuid() == 0 {
		r.User = "root"
	}
	broken := r.all(ctx, o, a, tool, stderr)
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "hostile", Command: o.Command}, broken)
}

// all runs the cases, one after the other.
func (r *report) all(ctx context.Context, o Options, a *sandbox, tool *gotool.Toolchain, log io.Writer) error {
	for _, path := range o.Ways {
		runs, closed, err := r.prepare(ctx, path, a, tool)
		if err != nil {
			return err
		}
		for _, k := range kinds {
			if !k.wanted(o.Only) || !slices.Contains(k.paths(), path) {
				continue
			}
			c, err := a.watch(ctx, k, path, runs)
			if err != nil {
				return errors.Join(fmt.Errorf("%s by %s: %w", k.test, path, err), closed())
			}
			c.judge(k, r.Memory)
			r.Cases = append(r.Cases, c)
			fmt.Fprintf(log, "%s, %s: %s after %.1f s %s\n", c.Path, c.Name, c.Ended, c.Seconds, strings.Join(c.Problems, "; "))
		}
		if err := closed(); err != nil {
			return err
		}
	}
	return nil
}

// A runner runs one kind and says how it ended: by which limit, and in words.
type runner func(ctx context.Context, k kind) (ended, detail string, err error)

// prepare makes one way ready.
func (r *report) prepare(ctx context.Context, path string, a *sandbox, tool *gotool.Toolchain) (runner, func() error, error) {
	nothing := func() error { return nil }
	switch path {
	case byBuild:
		return func(ctx context.Context, k kind) (string, string, error) {
			return buildKind(ctx, tool, a, k, r.Memory)
		}, nothing, nil
	case byKill:
		return a.runKilled, nothing, nil
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		return nil, nil, err
	}
	if path == byCheck {
		// One process at a time: what it takes is compared with its limit.
		return prepareCheck(ctx, checker.Config{Tool: tool, Program: program, Workers: 1, Memory: r.Memory, Disk: r.Disk})
	}
	return prepareNoise(ctx, noise.Config{Tool: tool, Program: program, Memory: r.Memory, Disk: r.Disk})
}

// prepareNoise builds the tests with noise.
func prepareNoise(ctx context.Context, c noise.Config) (runner, func() error, error) {
	c.NoRace = c.Tool.RaceErr != nil
	h, err := noise.New(c)
	if err != nil {
		return nil, nil, err
	}
	b, err := h.Build(ctx, noise.Noised, nil)
	if err != nil {
		return nil, nil, errors.Join(err, h.Close())
	}
	run := func(ctx context.Context, k kind) (_, _ string, err error) {
		program := *c.Program // the same, of which one test is run
		program.Target.Run = "^" + k.test + "$"
		only := c
		only.Program = &program
		one, err := noise.New(only)
		if err != nil {
			return "", "", err
		}
		defer func() { err = errors.Join(err, one.Close()) }()
		o, err := one.Run(ctx, b, noise.RunOptions{Seed: 1, Timeout: k.limit})
		if err != nil {
			return "", "", err
		}
		if o.Pass {
			return endedPassed, "passed", nil
		}
		if len(o.Failures) == 0 {
			return endedFailed, "no test was run", nil
		}
		f := o.Failures[0]
		return endedBy(string(f.Kind) + ": " + f.Message), f.Message, nil
	}
	return run, func() error { return errors.Join(b.Close(), h.Close()) }, nil
}

// prepareCheck builds the tests under the checker's control.
func prepareCheck(ctx context.Context, config checker.Config) (runner, func() error, error) {
	c, err := checker.New(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	b, err := c.Build(ctx, nil)
	if err != nil {
		return nil, nil, errors.Join(err, c.Close())
	}
	run := func(ctx context.Context, k kind) (string, string, error) {
		report, err := b.Check(ctx, checker.Search{Tests: []string{k.test}, Budget: k.limit, Seed: 1})
		if err != nil {
			return "", "", err
		}
		detail := string(report.Verdict)
		if report.Reason != "" {
			detail += ": " + report.Reason
		}
		for _, f := range report.Failures {
			detail += ": " + f.Message
		}
		return endedBy(detail), tables.FirstLine(detail), nil
	}
	return run, func() error { return errors.Join(b.Close(), c.Close()) }, nil
}

// buildKind builds a package that takes a compiler too much time or memory.
func buildKind(ctx context.Context, tool *gotool.Toolchain, a *sandbox, k kind, memory int64) (string, string, error) {
	err := tool.BuildTest(ctx, gotool.BuildOptions{
		Package: ".",
		Overlay: gotool.Overlay{filepath.Join(a.module(), "hostile.go"): []byte("package hostile\n\n" + k.source())},
		Output:  filepath.Join(a.dir, "built.test"),
		Timeout: k.limit,
		Memory:  memory,
	})
	if err == nil {
		return endedPassed, "built", os.Remove(filepath.Join(a.dir, "built.test"))
	}
	refused := (*gotool.BuildError)(nil)
	if !errors.As(err, &refused) {
		return "", "", err
	}
	if refused.Limit != "" {
		return string(refused.Limit), tables.FirstLine(refused.Error()), nil
	}
	return endedFailed, tables.FirstLine(refused.Error()), nil
}

// writeModule writes the module of hostile tests into a directory.
func writeModule(dir string) error {
	for _, f := range txtar.Parse(sourceText).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
