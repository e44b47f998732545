package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/change"
	"mendel/internal/gotool"
	"mendel/internal/ordercopy"
)

// DefaultBudget is the time for a test unless Options say otherwise.
const DefaultBudget = 5 * time.Minute

// Options say of what to make a test. Zero values are defaults.
type Options struct {
	File string // a schedule, or the output directory of a check or a repair
	// Failure is one of a test of a package of which no schedule is known; nil: File has it.
	Failure *evidence.Failure
	Package string         // its import path
	Flags   []string       // its build flags
	Dir     string         // directory of the module, or in it; "": the one that the schedule names
	Fixed   *change.Change // mends the failure; nil: only the failure is known
	Budget  time.Duration  // for everything; 0: DefaultBudget
	Seed    uint64         // 0: 1
	Write   bool           // the test is written beside the package's tests, and the copy of package order that it needs
	// Version is Mendel's, which the copy names; Order is what the copy is made of.
	Version string
	Order   ordercopy.Source
	// Phase is told what is being done; nil: nobody is.
	Phase func(format string, args ...any)
}

// ErrChanged is for a schedule whose source is not there any more.
var ErrChanged = errors.New("the source has changed since the schedule was made")

// Run makes a test of a failing schedule. The result is nil with an error, and only then.
// That there is no test is no error.
func Run(ctx context.Context, o Options) (*Result, error) {
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	o.Seed = cmp.Or(o.Seed, 1)
	if o.Phase == nil {
		o.Phase = func(string, ...any) {}
	}
	m := &making{o: o, began: time.Now()}
	ctx, cancel := context.WithTimeout(ctx, o.Budget)
	defer cancel()
	defer m.close()
	if err := m.run(ctx); err != nil {
		return nil, err
	}
	m.result.Seconds = time.Since(m.began).Seconds()
	return m.result, nil
}

// A making is a search for a test under way.
type making struct {
	o       Options
	began   time.Time
	name    string // of the schedule's file; "": there is none
	file    *checker.File
	tool    *gotool.Toolchain
	program *analysis.Program
	test    *copied
	wanted  wanted
	race    bool // runs are with the race detector
	result  *Result

	dir    string // of executables
	remove func() error
}

func (m *making) close() {
	if m.remove != nil {
		m.remove()
	}
}

func (m *making) left() time.Duration { return time.Until(m.began.Add(m.o.Budget)) }

func (m *making) run(ctx context.Context) error {
	if err := m.load(ctx); err != nil {
		return err
	}
	for _, means := range []struct {
		means Means
		try   func(context.Context) (*Test, error)
	}{
		{Plain, m.plain}, {Bubble, m.bubble}, {Watched, m.watched}, {Locks, m.locked}, {Order, m.ordered}, {Repeated, m.repeated},
	} {
		test, err := means.try(ctx)
		reason := (*noTest)(nil)
		switch {
		case errors.As(err, &reason):
			m.result.Tried = append(m.result.Tried, Tried{means.means, reason.why})
		case ctx.Err() != nil && m.left() <= 0:
			m.result.Tried = append(m.result.Tried, Tried{means.means, "there was not enough time"})
			return nil
		case err != nil:
			return err
		default:
			m.result.Status, m.result.Test = Made, test
			return m.write()
		}
	}
	return nil
}

// A noTest is why a means leads to no test.
type noTest struct{ why string }

func (e *noTest) Error() string { return e.why }

func none(format string, args ...any) error { return &noTest{fmt.Sprintf(format, args...)} }

// load reads the schedule and loads the program.
func (m *making) load(ctx context.Context) (err error) {
	if err := m.read(); err != nil {
		return err
	}
	target := m.file.Target()
	target.Dir, target.Unedited = cmp.Or(m.o.Dir, target.Dir), true
	m.o.Phase("loading %s", m.file.Package)
	if m.tool, err = gotool.Open(ctx, target.Dir); err != nil {
		return err
	}
	target.Dir = m.tool.Dir
	if m.program, err = analysis.Load(ctx, m.tool, target); err != nil {
		return err
	}
	if m.o.Failure == nil && !m.file.Same(m.program, nil) {
		return fmt.Errorf("%s: %w", m.name, ErrChanged)
	}
	failure := evidence.Failure{Kind: m.file.Kind, Signature: m.file.Signature, Message: m.file.Message, Test: m.file.Test}
	m.wanted, m.race = want(failure), failure.Kind == evidence.Race
	m.result = &Result{Status: None, File: m.name, Module: m.tool.ModuleDir, Package: m.file.Package, Failure: failure, Tried: []Tried{}}
	if m.test, err = find(m.program, m.file.Test); err != nil {
		return err
	}
	m.wanted.patience = patience(m.test.pkg)
	m.test.order = m.program.ModulePath() + "/" + ordercopy.Dir
	m.dir, m.remove, err = gotool.TempDir()
	return err
}

// read reads the schedule, if there is one.
func (m *making) read() (err error) {
	if f := m.o.Failure; f != nil {
		test, _, _ := strings.Cut(f.Test, "/")
		m.file = &checker.File{Dir: m.o.Dir, Package: m.o.Package, Flags: m.o.Flags, Test: test, Kind: f.Kind, Signature: f.Signature, Message: f.Message}
		return nil
	}
	if m.name, err = scheduleIn(m.o.File); err != nil {
		return err
	}
	if m.file, err = checker.ReadSchedule(m.name); err != nil {
		return fmt.Errorf("%w; name a failure-N.schedule that mendel check or repair wrote", err)
	}
	if m.file.Scale > 1 {
		return fmt.Errorf("%s was made with shorter loops of the tests", m.name)
	}
	return nil
}

// Dir is the directory that a schedule, or the one in an output directory, was made in.
func Dir(file string) (string, error) {
	name, err := scheduleIn(file)
	if err != nil {
		return "", err
	}
	schedule, err := checker.ReadSchedule(name)
	if err != nil {
		return "", fmt.Errorf("%w; name a failure-N.schedule that mendel check or repair wrote", err)
	}
	return schedule.Target().Dir, nil
}

// scheduleIn is the schedule that a file is, or a directory has.
func scheduleIn(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", err
	case !info.IsDir():
		return name, nil
	}
	first := filepath.Join(name, "failure-1.schedule")
	if _, err := os.Stat(first); err != nil {
		return "", fmt.Errorf("%s has no failing schedule: %w", name, err)
	}
	return first, nil
}

// write writes the test, if that is wanted.
func (m *making) write() error {
	if !m.o.Write {
		return nil
	}
	return m.result.Write(m.o.Order)
}

// Write writes the test beside the others of its package, with the copy of package order if it
// needs that.
func (r *Result) Write(order ordercopy.Source) error {
	if r.Test == nil || r.Test.Source == "" {
		return nil
	}
	if r.Test.Order {
		if _, err := order.Write(r.Module); err != nil {
			return err
		}
	}
	return os.WriteFile(r.Test.File, []byte(r.Test.Source), 0o666)
}

// Save writes the test into a directory.
func (r *Result) Save(dir string) error {
	if r.Test == nil || r.Test.Source == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, filepath.Base(r.Test.File)), []byte(r.Test.Source), 0o666)
}
