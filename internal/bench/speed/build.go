package speed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/checker"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// builds measures how long it takes to build each subject after a change, with
// and without rewriting.
func (r *evaluation) builds(ctx context.Context, subjects []subject.Subject) error {
	for _, s := range subjects {
		dir := filepath.Join(r.dir, "build-"+s.Name)
		if err := programs.Copy(dir, s.Dir); err != nil {
			return err
		}
		cost, err := r.buildsOf(ctx, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		cost.Subject = s.Name
		r.report.Builds = append(r.report.Builds, cost)
		fmt.Fprintf(r.log, "builds: %s done\n", s.Name)
	}
	return nil
}

// buildsOf measures the module in a directory, whose first file it changes.
func (r *evaluation) buildsOf(ctx context.Context, dir string) (cost buildCost, err error) {
	b, err := newBuilds(ctx, dir, filepath.Join(r.dir, "plain.test"))
	if err != nil {
		return cost, err
	}
	defer func() { err = errors.Join(err, b.checker.Close()) }()
	ways := []func(context.Context) error{b.plain, b.instrumented, b.fromScratch}
	seconds := make([][]float64, len(ways))
	for round := range r.Rounds + 1 {
		for i, build := range ways {
			start := time.Now()
			if err := build(ctx); err != nil {
				return cost, err
			}
			if round > 0 { // the first warms the caches
				seconds[i] = append(seconds[i], time.Since(start).Seconds())
			}
		}
	}
	return buildCost{Plain: tables.Median(seconds[0]), Instrumented: tables.Median(seconds[1]), FromScratch: tables.Median(seconds[2])}, nil
}

// A buildSeries builds one module in several ways, each time with one file changed.
type buildSeries struct {
	tool    *gotool.Toolchain
	checker *checker.Checker
	output  string
	file    string // absolute
	source  []byte // of file, unchanged
	changes int
}

// newBuilds prepares to build the module in a directory.
func newBuilds(ctx context.Context, dir, output string) (*buildSeries, error) {
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		return nil, err
	}
	b := &buildSeries{tool: tool, output: output}
	for _, f := range program.Packages[0].Files {
		if !f.Test {
			b.file, b.source = f.Name, f.Source
			break
		}
	}
	if b.file == "" {
		return nil, errors.New("no file to change but tests")
	}
	b.checker, err = checker.New(ctx, checker.Config{Tool: tool, Program: program})
	return b, err
}

// changed is the source with a comment that it never had before, because the
// build cache goes by the content.
func (b *buildSeries) changed() []byte {
	b.changes++
	return append(b.source[:len(b.source):len(b.source)], "\n// change "+strconv.Itoa(b.changes)+"\n"...)
}

// write changes the file on disk.
func (b *buildSeries) write() error {
	if err := os.WriteFile(b.file, b.changed(), 0o666); err != nil {
		return fmt.Errorf("change a file: %w", err)
	}
	return nil
}

// plain is go test -c.
func (b *buildSeries) plain(ctx context.Context) error {
	if err := b.write(); err != nil {
		return err
	}
	return b.tool.BuildTest(ctx, gotool.BuildOptions{Package: ".", Output: b.output})
}

// instrumented rewrites and builds as for a mutant: the program is loaded.
func (b *buildSeries) instrumented(ctx context.Context) error {
	binary, err := b.checker.Build(ctx, map[string][]byte{b.file: b.changed()})
	if err != nil {
		return err
	}
	return binary.Close()
}

// fromScratch loads, rewrites and builds, as mendel check does.
func (b *buildSeries) fromScratch(ctx context.Context) error {
	if err := b.write(); err != nil {
		return err
	}
	p, err := programs.Instrument(ctx, filepath.Dir(b.file), ".", 0)
	if err != nil {
		return err
	}
	return p.Close()
}

// bugs measures the time to each subject's bug, by the package checker and by
// the command.
func (r *evaluation) bugs(ctx context.Context, subjects []subject.Subject) error {
	mendel := filepath.Join(r.dir, "mendel")
	if err := commands.BuildMendel(ctx, mendel); err != nil {
		return err
	}
	for _, s := range subjects {
		bug, err := r.bugOf(ctx, s, mendel)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		r.report.Bugs = append(r.report.Bugs, bug)
		fmt.Fprintf(r.log, "bugs: %s done\n", s.Name)
	}
	return nil
}

// bugOf looks for a subject's bug once per round and way.
func (r *evaluation) bugOf(ctx context.Context, s subject.Subject, mendel string) (bugTime, error) {
	bug := bugTime{Subject: s.Name, Rounds: r.Rounds}
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return bug, fmt.Errorf("find the subject: %w", err)
	}
	var total, build, command []float64
	for round := range r.Rounds {
		seed := r.First + uint64(round)
		t, b, report, err := r.find(ctx, dir, seed)
		if err != nil {
			return bug, err
		}
		if len(report.Failures) > 0 {
			bug.Found++
			bug.Failure = fmt.Sprintf("%s: %s", report.Failures[0].Kind, report.Failures[0].Message)
		} else {
			bug.Problem = cmp.Or(bug.Problem, fmt.Sprintf("%s: %s", report.Verdict, tables.FirstLine(report.Reason)))
		}
		total, build = append(total, t), append(build, b)
		seconds, problem, err := r.command(ctx, mendel, dir, seed)
		if err != nil {
			return bug, err
		}
		if problem == "" {
			bug.FoundByCommand++
		}
		bug.Problem = cmp.Or(bug.Problem, problem)
		command = append(command, seconds)
	}
	bug.Seconds, bug.Build, bug.Command = tables.Median(total), tables.Median(build), tables.Median(command)
	return bug, nil
}

// find looks for the failure of the tests in a directory. total and build are
// seconds, the latter part of the former.
func (r *evaluation) find(ctx context.Context, dir string, seed uint64) (total, build float64, report *checker.Report, err error) {
	start := time.Now()
	p, err := programs.Instrument(ctx, dir, ".", r.Workers)
	if err != nil {
		return 0, 0, nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	build = time.Since(start).Seconds()
	report, err = p.Check(ctx, checker.Search{Budget: r.Limit, Seed: seed})
	return time.Since(start).Seconds(), build, report, err
}

// command runs mendel check, which exits with 1 when it found a failure; problem
// says what it did instead.
func (r *evaluation) command(ctx context.Context, mendel, dir string, seed uint64) (seconds float64, problem string, err error) {
	args := []string{"check", "--seed", strconv.FormatUint(seed, 10), "--budget", r.Limit.String(), dir}
	if r.Workers > 0 {
		args = append(args, "--workers", strconv.Itoa(r.Workers))
	}
	work, remove, err := gotool.TempDir()
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, remove()) }()
	result, err := gotool.Run(ctx, gotool.RunOptions{Path: mendel, Args: args, Dir: work, Timeout: r.Limit + time.Minute, Memory: 8 << 30})
	if err != nil {
		return 0, "", fmt.Errorf("run mendel %s: %w", strings.Join(args, " "), err)
	}
	if ctx.Err() == nil && result.Stop == gotool.Exited && result.ExitCode == 1 {
		return result.Elapsed.Seconds(), "", nil
	}
	problem, err = commands.Verdict(ctx, result)
	if err == nil && problem == "" {
		problem = "exit status 0: nothing found"
	}
	return result.Elapsed.Seconds(), fmt.Sprintf("mendel %s: %s", strings.Join(args[:len(args)-1], " "), problem), err
}
