package suites

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mendel/internal/bench/cached"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/tables"
	"mendel/internal/check"
	"mendel/internal/gate"
	"mendel/internal/gotool"
)

// Options say which libraries to check, and how long. Budget must be positive.
type Options struct {
	Only    []string      // parts of the libraries' names; none: all
	Budget  time.Duration // of one library, with its builds
	Workers int           // processes at a time; 0: the number of CPUs
	Again   bool          // check again what has a result, too
	Show    bool          // check nothing: make the tables of what there is
	Out     string        // directory of suites.json, suites.md, and what commands write
	Command string        // to type, for the report
}

// Run checks the libraries and prints the tables. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if o.Budget <= 0 || o.Out == "" {
		return errors.New("--budget must be positive, and --out name a directory")
	}
	m, err := readManifest(manifestText)
	if err != nil {
		return err
	}
	machine, mendel, err := tables.Begin(ctx, ".", o.Out)
	if err != nil {
		return err
	}
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fmt.Errorf("find the output directory: %w", err)
	}
	e := &evaluation{Options: o, manifest: m, mendel: mendel, log: stderr, report: &report{}}
	files := tables.Files{Dir: o.Out, Name: "suites", Command: o.Command}
	if _, err := tables.ReadSaved(filepath.Join(o.Out, "suites.json"), e.report); err != nil {
		return err
	}
	e.report.Machine = machine
	e.report.enter(m)
	broken := e.all(ctx, func() error { return files.Save(e.report, nil) })
	return tables.Finish(e.report, stdout, files, broken)
}

// An evaluation is one run of the command.
type evaluation struct {
	Options
	manifest *manifest
	mendel   string // hash of the source that checks
	log      io.Writer
	report   *report
}

// all checks what has no result yet, and saves after each library.
func (e *evaluation) all(ctx context.Context, save func() error) error {
	executable := filepath.Join(e.Out, "mendel")
	built := false
	for _, l := range e.report.Libraries {
		if e.Show || !e.wants(l.String()) || !e.Again && l.isOf(e.mendel, e.Budget) {
			continue
		}
		if !built {
			if err := commands.BuildMendel(ctx, executable); err != nil {
				return err
			}
			built = true
		}
		fmt.Fprintf(e.log, "%s\n", l)
		if err := e.library(ctx, executable, l); err != nil {
			return fmt.Errorf("%s: %w", l, err)
		}
		fmt.Fprintf(e.log, "%s: %s\n", l, l.Counts)
		if err := save(); err != nil {
			return err
		}
	}
	return nil
}

// wants reports whether --only selects a library.
func (e *evaluation) wants(name string) bool {
	return len(e.Only) == 0 || slices.ContainsFunc(e.Only, func(part string) bool { return strings.Contains(name, part) })
}

// library fetches a library, runs its tests as they are, and checks them.
func (e *evaluation) library(ctx context.Context, mendel string, l *library) error {
	name := strings.NewReplacer("/", "_", "@", "_").Replace(l.String())
	dir, out := filepath.Join(e.Out, "src", name), filepath.Join(e.Out, "checks", name)
	if err := fetch(ctx, l.source, dir); err != nil {
		return err
	}
	next := &library{source: l.source, Mendel: e.mendel, Budget: e.Budget.Seconds()}
	var err error
	if next.GoTest, next.Plain, err = goTest(ctx, dir, l.patterns()); err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return fmt.Errorf("remove an earlier check: %w", err)
	}
	args := []string{"check", "--budget", e.Budget.String(), "--out", out}
	if e.Workers > 0 {
		args = append(args, "--workers", strconv.Itoa(e.Workers))
	}
	ran, err := gotool.Run(ctx, gotool.RunOptions{
		Path: mendel, Args: append(args, l.patterns()...), Dir: dir,
		Timeout: e.Budget + slack, Memory: 12 << 30, Disk: 32 << 30, Processes: 4096,
	})
	if err != nil {
		return fmt.Errorf("run mendel check: %w", err)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return fmt.Errorf("keep what the check said: %w", err)
	}
	if err := os.WriteFile(filepath.Join(out, "check.txt"), ran.Output, 0o666); err != nil {
		return fmt.Errorf("keep what the check said: %w", err)
	}
	next.Seconds = ran.Elapsed.Seconds()
	if err := next.read(out, ran); err != nil {
		return err
	}
	*l = *next
	l.judge(e.manifest)
	return nil
}

// slack is what a check may need beyond its budget, to write its results.
const slack = 2 * time.Minute

// fetch copies a library to a directory, if it is not there yet.
func fetch(ctx context.Context, s source, dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return fmt.Errorf("remove a part of a copy: %w", err)
	}
	if _, err := (cached.Module{Path: s.Module, Version: s.Version, Packages: s.patterns()}).Fetch(ctx, part); err != nil {
		return err
	}
	if err := os.Rename(part, dir); err != nil {
		return fmt.Errorf("keep the copy: %w", err)
	}
	return nil
}

// tested are the lines of go test that end a package.
var tested = regexp.MustCompile(`^(?:ok  |FAIL)\t\S+\t([0-9.]+)s`)

// goTest runs the tests as they are, and returns their seconds, without builds, and what
// is wrong if they fail.
func goTest(ctx context.Context, dir string, patterns []string) (seconds float64, problem string, err error) {
	output, problem, err := commands.GoSays(ctx, dir, append([]string{"test", "-count=1"}, patterns...)...)
	for line := range bytes.Lines(output) {
		if m := tested.FindSubmatch(line); m != nil {
			s, _ := strconv.ParseFloat(string(m[1]), 64) // the expression lets numbers through only
			seconds += s
		}
	}
	return seconds, problem, err
}

// read takes what a check has written.
func (l *library) read(out string, ran gotool.RunResult) error {
	var s gate.Summary
	found, err := tables.ReadSaved(filepath.Join(out, gate.Name), &s)
	if err != nil {
		return err
	}
	if !found {
		l.Problem = fmt.Sprintf("exit status %d: %s", ran.ExitCode, last(ran.Output))
		return nil
	}
	l.Counts = s.Counts
	for _, p := range s.Packages {
		l.Schedules += p.Schedules
		if len(p.Tests) == 0 {
			l.Without = append(l.Without, fmt.Sprintf("%s: %s: %s", p.Path, p.Verdict, tables.FirstLine(p.Reason)))
		}
		for _, t := range p.Tests {
			if t.Verdict == check.Inconclusive {
				l.Untold = append(l.Untold, untold{p.Path, t.Name, t.Cause, t.Reason})
			}
		}
		var full check.Result
		if _, err := tables.ReadSaved(filepath.Join(out, p.Out, check.Name), &full); err != nil {
			return err
		}
		l.Steps += full.Steps
		l.Processes += full.Processes
		for i, f := range p.Failures {
			one := failure{Failure: f}
			if i < len(full.Failures) {
				one.Table = table(full.Failures[i])
			}
			l.Failures = append(l.Failures, one)
		}
	}
	return nil
}

// last is the last line that a command has printed.
func last(output []byte) string {
	line := ""
	for s := bufio.NewScanner(bytes.NewReader(output)); s.Scan(); {
		if text := strings.TrimSpace(s.Text()); text != "" {
			line = text
		}
	}
	return line
}

// mostSteps of a schedule are shown, the last ones.
const mostSteps = 25

// table is a schedule for people: who did what where.
func table(f check.Failure) []string {
	var lines []string
	steps := f.Trace[max(0, len(f.Trace)-mostSteps):]
	if left := len(f.Trace) - len(steps); left > 0 {
		lines = append(lines, fmt.Sprintf("... %d steps", left))
	}
	for _, s := range steps {
		who := fmt.Sprint(s.Goroutine)
		if s.Goroutine < len(f.Goroutines) {
			who = f.Goroutines[s.Goroutine]
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-20s %-28s %s", who, s.Operation, place(s.File, s.Line)), " "))
	}
	for _, p := range f.Places {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-20s %-28s %s", p.Goroutine, "<- "+p.Operation, place(p.File, p.Line)), " "))
	}
	return lines
}

func place(file string, line int) string {
	if file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}
