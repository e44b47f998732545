package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"mendel/internal/bench/commands"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

const (
	// widerPattern matches the tests of a wider test file, and no others.
	widerPattern = "^TestWider"
	// widerProcessors are the values of GOMAXPROCS under which they run, each time.
	widerProcessors = "1,2,4"
	// widerTimeout limits all their runs: a patch may have left a deadlock.
	widerTimeout = 90 * time.Second
)

// A Wider is what a subject's wider test has against its copies that no repair
// made. The test shows something only if the corrected copy passes it and the
// original does not.
type Wider struct {
	Test      string `json:"test"`                // hash of the test
	Copy      string `json:"copy"`                // hash of the corrected copy's files
	Runs      int    `json:"runs"`                // on each number of processors
	Corrected string `json:"corrected,omitempty"` // what is wrong with the corrected copy
	Original  string `json:"original,omitempty"`  // what is wrong with the original; "": it passes
}

// Problem says why the test shows nothing; "" if it does.
func (w *Wider) Problem() string {
	switch {
	case w.Corrected != "":
		return "the corrected copy fails the wider test: " + w.Corrected
	case w.Original == "":
		return "the original passes the wider test"
	}
	return ""
}

// WiderWord says in a word what came of the wider test.
func (v *Verification) WiderWord() string {
	switch {
	case v.Wider != "":
		return "fails"
	case v.WiderTest != "" && v.Broken == "":
		return "passes"
	}
	return "-"
}

// WiderHash identifies the wider test of a subject; "" if it has none.
func WiderHash(s subject.Subject) (string, error) {
	text, err := os.ReadFile(s.Wider())
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the wider test: %w", err)
	}
	return identity.Content(text), nil
}

// Widen runs a subject's wider test on its corrected copy and on the original. It
// is nil if there is no such test.
func (v Verifier) Widen(ctx context.Context, s subject.Subject) (w *Wider, err error) {
	w = &Wider{Runs: v.Wider}
	if w.Test, err = WiderHash(s); err != nil || w.Test == "" {
		return nil, err
	}
	if w.Copy, err = identity.Module(s.Corrected()); err != nil {
		return nil, err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	for _, c := range []struct {
		name, from string
		problem    *string
	}{{"corrected", s.Corrected(), &w.Corrected}, {"original", s.Dir, &w.Original}} {
		copied := filepath.Join(dir, c.name)
		if err := programs.Copy(copied, c.from); err != nil {
			return nil, err
		}
		if *c.problem, err = v.runWider(ctx, s, copied); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// runWider puts a subject's wider test into a copy, runs it there, takes it out
// again, and says what it has against the copy. A subject without one passes.
func (v Verifier) runWider(ctx context.Context, s subject.Subject, dir string) (problem string, err error) {
	text, err := os.ReadFile(s.Wider())
	if errors.Is(err, os.ErrNotExist) || v.Wider == 0 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the wider test: %w", err)
	}
	name := filepath.Join(dir, filepath.Base(s.Wider()))
	if err := gotool.WriteFile(name, text); err != nil {
		return "", fmt.Errorf("put in the wider test: %w", err)
	}
	_, problem, err = commands.GoSays(ctx, dir, "test", "-race", "-failfast", "-count="+strconv.Itoa(v.Wider), "-cpu="+widerProcessors,
		"-timeout="+widerTimeout.String(), "-run="+widerPattern, ".")
	if problem != "" {
		problem = telling(problem) + "\n" + problem
	}
	return problem, errors.Join(err, os.Remove(name))
}

// failureLine is the line of a failed test that tells most of it; of a data race,
// the function of the first access.
var failureLine = regexp.MustCompile(`DATA RACE\n\s*\w+ at .*\n\s*(\S+)\(\)|(panic: .*|fatal error: .*|\w+_test\.go:\d+: .*)`)

// telling is a line about the output of a failed test.
func telling(output string) string {
	m := failureLine.FindStringSubmatch(output)
	switch {
	case m == nil:
		return tables.FirstLine(output)
	case m[1] != "":
		return "data race in " + m[1]
	}
	return m[2]
}
