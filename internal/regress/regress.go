package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/internal/change"
	"mendel/internal/gotool"
	"mendel/internal/ordercopy"
)

// DefaultBudget is the time for a test unless Options say otherwise.
const DefaultBudget = 5 * time.Minute

// Options say of what to make a test. Zero values are defaults.
type Options struct {
	File   string         // a schedule, or the output directory of a check or a repair
	Dir    string         // directory of the module, or in it; "": the one that the schedule names
	Fixed  *change.Change // mends the failure; nil: only the failure is known
	Budget time.Duration  // for everything; 0: DefaultBudget
	Seed   uint64         // 0: 1
	Write  bool           // the test is written beside the package's tests, and the copy of package order that it needs
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
	}{{Plain, m.plain}, {Order, m.ordered}} {
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
	name, err := scheduleIn(m.o.File)
	if err != nil {
		return err
	}
	if m.file, err = checker.ReadSchedule(name); err != nil {
		return fmt.Errorf("%w; name a failure-N.schedule that mendel check or repair wrote", err)
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
	if m.file.Scale > 1 {
		return fmt.Errorf("%s was made with shorter loops of the tests", name)
	}
	if !m.file.Same(m.program, nil) {
		return fmt.Errorf("%s: %w", name, ErrChanged)
	}
	failure := evidence.Failure{Kind: m.file.Kind, Signature: m.file.Signature, Message: m.file.Message, Test: m.file.Test}
	m.wanted, m.race = want(failure), failure.Kind == evidence.Race
	m.result = &Result{Status: None, File: name, Module: m.tool.ModuleDir, Package: m.file.Package, Failure: failure, Tried: []Tried{}}
	if m.test, err = find(m.program, m.file.Test); err != nil {
		return err
	}
	m.test.order = m.program.ModulePath() + "/" + ordercopy.Dir
	m.dir, m.remove, err = gotool.TempDir()
	return err
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

// runs is how often a test is run with each number of processors.
const runs = 20

// processors are those numbers.
var processors = []int{1, 2, 8}

// few is how often it is run to see whether an ordering is needed.
const few = 2

// plain asks whether the test itself fails whatever the schedule.
func (m *making) plain(ctx context.Context) (*Test, error) {
	m.o.Phase("running %s", m.file.Test)
	exe, err := m.build(ctx, "plain", m.race, nil)
	if err != nil {
		return nil, err
	}
	before, err := m.repeat(ctx, exe, m.file.Test, "", few, m.wanted.seen)
	if err != nil {
		return nil, err
	}
	if before.Failed == before.Runs {
		before, err = m.repeat(ctx, exe, m.file.Test, "", runs, m.wanted.seen)
	}
	if err != nil {
		return nil, err
	}
	if before.Failed < before.Runs {
		return nil, none("%s fails in %d of %d runs", m.file.Test, before.Failed, before.Runs)
	}
	t := &Test{Name: m.file.Test, Means: Plain, File: m.test.file.Name, Race: m.race, Before: before}
	return t, m.mended(ctx, t, nil)
}

// files are those that a build with a copy of the test has besides.
func (m *making) files(source []byte) (gotool.Overlay, error) {
	overlay := gotool.Overlay{m.target(): source}
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

// target is the file of the test.
func (m *making) target() string {
	name := strings.ToLower(strings.TrimPrefix(m.test.name, "TestRegress"))
	return filepath.Join(m.test.pkg.Dir, "regress_"+cmp.Or(name, "test")+"_test.go")
}

// build builds the tests with other files besides.
func (m *making) build(ctx context.Context, name string, race bool, overlay gotool.Overlay) (string, error) {
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

// orderVariable has the order of a copy that is being tried.
const orderVariable = "MENDEL_REGRESS_ORDER"

// repeat runs a test so many times with each number of processors. An order is one that is
// tried: then the first run ends it that does not fail as it should.
func (m *making) repeat(ctx context.Context, exe, test, order string, times int, failed func(*gotool.RunResult) bool) (Runs, error) {
	var r Runs
	stop := order != ""
	for range times {
		for _, n := range processors {
			result, err := m.tool.Run(ctx, gotool.RunOptions{
				Path: exe, Dir: m.test.pkg.Dir, Timeout: testTimeout + 5*time.Second,
				Args: []string{"-test.run=^" + test + "$", "-test.count=1", "-test.v", fmt.Sprintf("-test.cpu=%d", n), "-test.timeout=" + testTimeout.String()},
				Env:  []string{orderVariable + "=" + order, "GORACE=atexit_sleep_ms=0"}, // which is a second
			})
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return r, fmt.Errorf("run %s: %w", test, err)
			}
			r.Runs++
			r.Longest = max(r.Longest, result.Elapsed.Seconds())
			if failed(&result) {
				r.Failed++
			} else if stop {
				return r, nil
			}
		}
	}
	return r, nil
}

// testTimeout is when a run counts as hanging.
const testTimeout = 10 * time.Second

// mended asks whether a test passes with the patch, if there is one.
func (m *making) mended(ctx context.Context, t *Test, overlay gotool.Overlay) error {
	if m.o.Fixed == nil {
		return nil
	}
	m.o.Phase("running %s with the patch", t.Name)
	all := gotool.Overlay{}
	for name, text := range overlay {
		all[name] = text
	}
	for _, f := range m.o.Fixed.Files {
		if f.After == nil {
			return none("the patch removes %s", f.Path)
		}
		all[filepath.Join(m.o.Fixed.Root, filepath.FromSlash(f.Path))] = f.After
	}
	t.After = &Runs{}
	for _, race := range []bool{false, true} {
		exe, err := m.build(ctx, "fixed", race, all)
		if err != nil {
			return err
		}
		after, err := m.repeat(ctx, exe, t.Name, "", runs, func(r *gotool.RunResult) bool { return r.ExitCode != 0 })
		if err != nil {
			return err
		}
		t.After.add(after)
		if after.Failed > 0 {
			return none("%s fails with the patch in %d of %d runs", t.Name, after.Failed, after.Runs)
		}
	}
	return nil
}

func (r *Runs) add(more Runs) {
	r.Runs += more.Runs
	r.Failed += more.Failed
	r.Longest = max(r.Longest, more.Longest)
}

// write writes the test, if that is wanted.
func (m *making) write() error {
	if !m.o.Write {
		return nil
	}
	return m.result.Write(m.o.Order)
}

// Write writes the test beside the others of its package, with the copy of package order that
// it needs.
func (r *Result) Write(order ordercopy.Source) error {
	if r.Test == nil || r.Test.Source == "" {
		return nil
	}
	if _, err := order.Write(r.Module); err != nil {
		return err
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

// ordered makes a copy of the test with an order.
func (m *making) ordered(ctx context.Context) (*Test, error) {
	switch m.file.Kind {
	case evidence.Blocked:
		return nil, none("go test does not see that goroutines are left blocked")
	case evidence.Timeout:
		return nil, none("go test cannot tell slow from stuck")
	}
	if err := m.test.prepare(); err != nil {
		return nil, none("%v", err)
	}
	trace, err := m.explore(ctx)
	if err != nil {
		return nil, err
	}
	all := forms(orderings(trace), meetings(trace))
	if len(all) == 0 {
		return nil, none("the failure needs no switch between goroutines that the test itself holds")
	}
	least, err := m.reduce(ctx, all)
	if err != nil {
		return nil, err
	}
	return m.accept(ctx, least)
}

// explore finds an execution of a copy with all events that fails as the schedule.
func (m *making) explore(ctx context.Context) ([]sched.Event, error) {
	var names []string
	for i := range m.test.spots {
		names = append(names, arrival(i), departure(i))
	}
	source, err := m.test.source(variant{play: "Expect", orders: fmt.Sprintf("%q", strings.Join(names, " && ")+" -> never")})
	if err != nil {
		return nil, none("the copy of the test cannot be read: %v", err)
	}
	overlay, err := m.files(source)
	if err != nil {
		return nil, err
	}
	m.o.Phase("exploring schedules of a copy of %s", m.file.Test)
	target := m.program.Target
	target.Overlay, target.Run = overlay, "^"+m.test.name+"$"
	program, err := analysis.Load(ctx, m.tool, target)
	if err != nil {
		return nil, none("the copy of the test does not build: %v", err)
	}
	c, err := checker.New(ctx, checker.Config{Tool: m.tool, Program: program, Flags: m.file.Flags})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	b, err := c.Build(ctx, nil)
	if err != nil {
		return nil, none("the copy of the test cannot be checked: %v", err)
	}
	defer b.Close()
	report, err := b.Check(ctx, checker.Search{Budget: m.left() / 3, Seed: m.o.Seed, Explain: true, All: true, Most: 3, Tests: []string{m.test.name}})
	if err != nil {
		return nil, err
	}
	for _, f := range report.Failures {
		if m.wanted.like(f.Failure) {
			return f.Trace, nil
		}
	}
	return nil, none("a copy of the test does not fail in the same way under the checker: %s", report)
}

// like reports whether a failure of a copy is the one that is wanted.
func (w wanted) like(f evidence.Failure) bool {
	other := want(f)
	return other.kind == w.kind && slices.Equal(other.places, w.places) && other.text == w.text
}

// within is an option of the order: a deadlock is told soon.
func (m *making) within() string {
	if m.file.Kind == evidence.Deadlock {
		return "time.Second"
	}
	return ""
}

func (m *making) imports() []named {
	if m.within() != "" {
		return []named{{"", "time"}}
	}
	return nil
}

// reduce runs a copy with all events under the real scheduler, and returns the orderings that
// it needs to fail, of the first set within which it does.
func (m *making) reduce(ctx context.Context, all [][]ordering) ([]ordering, error) {
	source, err := m.test.source(variant{play: "Try", orders: fmt.Sprintf("os.Getenv(%q)", orderVariable), within: m.within(), imports: append(m.imports(), named{"", "os"})})
	if err != nil {
		return nil, none("the copy of the test cannot be read: %v", err)
	}
	overlay, err := m.files(source)
	if err != nil {
		return nil, err
	}
	m.o.Phase("running a copy of %s within the order of a failing schedule", m.file.Test)
	exe, err := m.build(ctx, "tried", m.race, overlay)
	if err != nil {
		return nil, err
	}
	red := func(list []ordering) (bool, error) {
		if len(list) == 0 {
			return false, nil
		}
		r, err := m.repeat(ctx, exe, m.test.name, ordersOf(list), few, m.wanted.seen)
		return err == nil && r.Failed == r.Runs, err
	}
	var list []ordering
	for _, form := range all {
		ok, err := red(form)
		if err != nil {
			return nil, err
		}
		if ok {
			list = form
			break
		}
	}
	if list == nil {
		return nil, none("under the real scheduler the copy does not always fail within the order of a failing schedule, %s, or a part of it", ordersOf(all[0]))
	}
	for i := len(list) - 1; i >= 0; i-- {
		fewer := slices.Delete(slices.Clone(list), i, i+1)
		ok, err := red(fewer)
		if err != nil {
			return nil, err
		}
		if ok {
			list = fewer
		}
	}
	return list, nil
}

// forms are the sets of orderings that are tried: all of an execution, those that hold no
// goroutine until another one is blocked, each meeting, and each ordering.
func forms(list, meetings []ordering) (all [][]ordering) {
	free := slices.DeleteFunc(slices.Clone(list), func(o ordering) bool { return o.blocked })
	if len(list) > 0 {
		all = append(all, list)
	}
	if len(free) > 0 && len(free) < len(list) {
		all = append(all, free)
	}
	for i := range meetings {
		all = append(all, meetings[i:i+1])
	}
	for i := len(list) - 1; i >= 0 && len(list) > 1; i-- {
		all = append(all, list[i:i+1])
	}
	return all
}

// accept makes the test and runs it as often as it must fail.
func (m *making) accept(ctx context.Context, list []ordering) (*Test, error) {
	events, names := m.named(list)
	orders := ordersOf(renamed(list, names))
	what := fmt.Sprintf("%s fails as %s does in a schedule that mendel has found:\n%s.", m.test.name, m.file.Test, oneLine(m.file.Message))
	if m.race {
		what += "\nOnly the race detector sees it: go test -race."
	}
	source, err := m.test.source(variant{
		play: "Try", orders: fmt.Sprintf("%q", orders), within: m.within(), imports: m.imports(),
		events: events, names: names, comment: what,
	})
	if err != nil {
		return nil, none("the test cannot be read: %v", err)
	}
	overlay, err := m.files(source)
	if err != nil {
		return nil, err
	}
	m.o.Phase("running %s", m.test.name)
	t := &Test{Name: m.test.name, Means: Order, Orders: orders, File: m.target(), Source: string(source), Race: m.race}
	for _, race := range []bool{false, true} {
		if m.race && !race {
			continue
		}
		exe, err := m.build(ctx, "accepted", race, overlay)
		if err != nil {
			return nil, err
		}
		before, err := m.repeat(ctx, exe, t.Name, "", runs, m.wanted.seen)
		if err != nil {
			return nil, err
		}
		t.Before.add(before)
		if before.Failed < before.Runs {
			return nil, none("a test with the order %s fails in %d of %d runs", orders, before.Failed, before.Runs)
		}
	}
	return t, m.mended(ctx, t, overlay)
}

// named are the events that orderings need, and names for them in the order of the source.
func (m *making) named(list []ordering) (events map[string]bool, names map[string]string) {
	events, names = map[string]bool{}, map[string]string{}
	for _, o := range list {
		events[o.before.name], events[o.after.name] = true, true
	}
	n := 0
	for i := range m.test.spots {
		arrives, departs := events[arrival(i)], events[departure(i)]
		if arrives {
			names[arrival(i)] = "at" + letters(n)
		}
		if departs {
			names[departure(i)] = "go" + letters(n)
		}
		if arrives || departs {
			n++
		}
	}
	return events, names
}

func renamed(list []ordering, names map[string]string) []ordering {
	list = slices.Clone(list)
	for i := range list {
		list[i].before.name, list[i].after.name = names[list[i].before.name], names[list[i].after.name]
	}
	return list
}

func oneLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text
}
