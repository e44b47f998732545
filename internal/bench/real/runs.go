package real

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"mendel/internal/bench/commands"
	"mendel/internal/bench/repository"
	"mendel/internal/gotool"
)

// processors are the values of GOMAXPROCS under which tests run, in turns.
var processors = []int{1, 2, 4}

const (
	// retries is how often a test that passed before and fails now is run by
	// itself, with the patch and without it.
	retries = 5
	// othersTimeout limits all other tests of a package.
	othersTimeout = 4 * time.Minute
	// grace is what a run may take longer than its own limit allows.
	grace = 10 * time.Second
)

// A program is the built tests of a bug's package.
type program struct {
	repository.Bug
	binary string
	dir    string // of the package
}

// build builds the tests of a bug's package in a tree. The problem says why it
// is no program.
func build(ctx context.Context, b repository.Bug, tree string) (p program, problem string, err error) {
	p = program{Bug: b, binary: tree + ".test", dir: filepath.Join(tree, filepath.FromSlash(b.Package))}
	args := []string{"test", "-c", "-o", p.binary}
	if b.Race {
		args = append(args, "-race")
	}
	_, problem, err = commands.GoSays(ctx, tree, append(args, b.Pattern())...)
	return p, problem, err
}

// run runs tests once.
func (p program) run(ctx context.Context, procs int, limit time.Duration, args ...string) (output []byte, problem string, err error) {
	r, err := gotool.Run(ctx, gotool.RunOptions{
		Path: p.binary, Dir: p.dir, Timeout: limit + grace, Memory: 4 << 30, Processes: 1024,
		Args: append([]string{"-test.count=1", "-test.timeout=" + limit.String()}, args...),
		Env:  []string{fmt.Sprintf("GOMAXPROCS=%d", procs)},
	})
	if err != nil {
		return nil, "", fmt.Errorf("run the tests of %s: %w", p.Name, err)
	}
	problem, err = commands.Verdict(ctx, r)
	return r.Output, problem, err
}

// Runs are runs of the test of a bug.
type Runs struct {
	Done   int    `json:"done"`
	Failed int    `json:"failed"`
	Said   string `json:"said,omitempty"` // by the first that failed
}

// String is "2 of 60".
func (r Runs) String() string { return fmt.Sprintf("%d of %d", r.Failed, r.Done) }

// runTest runs the test of the bug n times, or until stop, which may be nil.
func (p program) runTest(ctx context.Context, n int, stop func(Runs) bool) (Runs, error) {
	var all Runs
	for i := range n {
		procs := processors[i%len(processors)]
		output, problem, err := p.run(ctx, procs, p.TestTimeout(), "-test.v", "-test.run="+p.RunPattern())
		if err != nil {
			return all, err
		}
		if problem == "" && !slices.Contains(passed(output), p.Test) {
			problem = "the test did not run, or was skipped"
		}
		all.Done++
		if problem != "" {
			if all.Failed++; all.Said == "" {
				all.Said = fmt.Sprintf("GOMAXPROCS=%d: %s", procs, problem)
			}
		}
		if stop != nil && stop(all) {
			break
		}
	}
	return all, nil
}

// otherTests runs the other tests of the package and returns those that pass.
// ended says why not all of them ended.
func (p program) otherTests(ctx context.Context) (passing []string, ended string, err error) {
	output, problem, err := p.run(ctx, max(processors[1], 2), othersTimeout, "-test.v", "-test.skip="+p.RunPattern())
	if err != nil {
		return nil, "", err
	}
	if problem != "" && !summary.Match(output) {
		ended = problem
	}
	return passed(output), ended, nil
}

// alone runs a test by itself and counts how often it fails.
func (p program) alone(ctx context.Context, test string) (failed int, err error) {
	for i := range retries {
		_, problem, err := p.run(ctx, processors[i%len(processors)], p.TestTimeout()+othersTimeout/4, "-test.run=^"+regexp.QuoteMeta(test)+"$")
		if err != nil {
			return failed, err
		}
		if problem != "" {
			failed++
		}
	}
	return failed, nil
}

var (
	// passLine is what go test says of a top-level test that passes. What a test
	// prints without a newline may come before it.
	passLine = regexp.MustCompile(`(?m)^(?:.*[^ \n])?--- PASS: ([^\s/]+) \(`)
	// summary is the last line of tests that all came to their ends.
	summary = regexp.MustCompile(`(?m)^(PASS|FAIL)$`)
)

// passed lists the top-level tests that passed, by what go test -v printed.
func passed(output []byte) []string {
	var names []string
	for _, m := range passLine.FindAllSubmatch(output, -1) {
		names = append(names, string(m[1]))
	}
	return names
}
