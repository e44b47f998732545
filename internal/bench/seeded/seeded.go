package seeded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/cached"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// reportName is the name of the files of a report.
const reportName = "seeded"

// Options say what to seed and how to repair it.
type Options struct {
	Only     []string      // parts of the paths of modules; none: all
	Count    int           // variants of each library, positive
	Seeding  time.Duration // for one package
	Repair   bool          // repair the variants and verify the patches
	Noticing bool          // repair by the test that notices the fault alone, which asks less of the fix
	Localize bool          // rank their places
	Limit    time.Duration // of one repair, from beginning to end
	Runs     int           // noised runs of each patched variant
	Check    time.Duration // for the checker on each patched variant
	Seed     uint64
	Workers  int    // processes at a time; 0: the number of CPUs
	Out      string // directory of seeded.json and seeded.md; "": print only
	Command  string // to type, for the report
}

// check refuses values that make no sense.
func (o Options) check() error {
	if o.Count <= 0 || o.Seeding <= 0 || o.Limit <= 0 || o.Check <= 0 || o.Runs <= 0 || o.Workers < 0 {
		return errors.New("--count, --seed-budget, --budget, --check-budget and --runs must be positive, --workers not negative")
	}
	return nil
}

// Run seeds the faults, repairs the variants if that is wanted, and prints the
// table. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	r, err := open(tool, o)
	if err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	e := &evaluation{o: o, report: r, dir: dir, log: stderr}
	broken := e.do(ctx)
	return tables.Finish(r, stdout, e.files(), broken)
}

// An evaluation is one under way.
type evaluation struct {
	o      Options
	report *report
	dir    string // for copies
	log    io.Writer
	asked  uint64 // how often a package without a fault was run, for seeds
}

func (e *evaluation) files() tables.Files {
	return tables.Files{Dir: e.o.Out, Name: reportName, Command: e.o.Command}
}

// save keeps what is done so far.
func (e *evaluation) save() error {
	if e.o.Out == "" {
		return nil
	}
	return e.files().Save(e.report, errors.New("it is under way"))
}

// open makes the report, or goes on with the one in the output directory. It
// refuses to mix what was made under other conditions.
func open(tool *gotool.Toolchain, o Options) (*report, error) {
	version, err := identity.Mendel()
	if err != nil {
		return nil, err
	}
	r := &report{
		Machine: tables.ThisMachine(tool), Mendel: version, Seed: o.Seed, Wanted: o.Count, Repair: o.Repair, Localize: o.Localize,
		Limit: o.Limit.String(), Effort: fmt.Sprintf("%d noised runs, checker %v", o.Runs, o.Check),
	}
	if o.Noticing {
		r.Effort += ", repaired by the noticing test alone"
	}
	if o.Out == "" {
		return r, nil
	}
	name, old := filepath.Join(o.Out, reportName+".json"), &report{}
	if found, err := tables.ReadSaved(name, old); err != nil || !found {
		return r, err
	}
	if old.Machine != r.Machine || old.Limit != r.Limit || old.Effort != r.Effort || old.Mendel != r.Mendel || old.Seed != r.Seed || old.Wanted != r.Wanted {
		return nil, fmt.Errorf("%s was made under other conditions; use another directory with --out", name)
	}
	old.Repair, old.Localize = o.Repair, o.Localize
	return old, nil
}

// A source is a library's own copy of the evaluation.
type source struct {
	name, dir string // of the report; of the copy
}

// do seeds faults into all libraries first: how many variants are chosen of one
// depends on how many the others have.
func (e *evaluation) do(ctx context.Context) error {
	var sources []source
	for i, m := range cached.Modules() {
		if len(e.o.Only) > 0 && !slices.ContainsFunc(e.o.Only, func(part string) bool { return strings.Contains(m.Path, part) }) {
			continue
		}
		dir := filepath.Join(e.dir, fmt.Sprint(i))
		packages, err := m.Fetch(ctx, dir)
		if err != nil {
			return err
		}
		if err := e.seedAll(ctx, m.Name(), dir, packages); err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
		sources = append(sources, source{m.Name(), dir})
	}
	e.report.choose(e.o.Count, e.o.Seed)
	for _, from := range sources {
		if err := e.library(ctx, from); err != nil {
			return fmt.Errorf("%s: %w", from.name, err)
		}
	}
	return nil
}

// seedAll seeds faults into the packages of a library, unless that is done.
func (e *evaluation) seedAll(ctx context.Context, name, dir string, packages []string) error {
	l := e.report.library(name)
	for _, pkg := range packages {
		if slices.ContainsFunc(l.Packages, func(done seededPackage) bool { return done.Package == pkg }) {
			continue
		}
		p, err := e.seed(ctx, dir, pkg)
		if err != nil {
			return fmt.Errorf("package %s: %w", pkg, err)
		}
		l.Packages = append(l.Packages, p)
		fmt.Fprintf(e.log, "%s, package %s: %s\n", name, pkg, p.line())
		if err := e.save(); err != nil {
			return err
		}
	}
	return nil
}

// library localises and repairs the chosen variants of a library.
func (e *evaluation) library(ctx context.Context, from source) error {
	name, dir := from.name, from.dir
	l := e.report.library(name)
	for i, v := range l.Variants {
		say := func(what string) error {
			fmt.Fprintf(e.log, "%s [%d/%d] %s at %s: %s\n", name, i+1, len(l.Variants), v.Operator, v.place(), what)
			return e.save()
		}
		if e.o.Localize && v.Found == nil {
			if err := e.localise(ctx, v, dir); err != nil {
				return fmt.Errorf("%s: %w", v.place(), err)
			}
			if err := say(v.Found.line()); err != nil {
				return err
			}
		}
		if e.o.Repair && v.Trial == nil {
			if err := e.repair(ctx, v, dir); err != nil {
				return fmt.Errorf("%s: %w", v.place(), err)
			}
			if err := say(v.line()); err != nil {
				return err
			}
		}
	}
	return nil
}

// faulty is a copy of a variant of the library in a directory, and what removes it.
func (e *evaluation) faulty(ctx context.Context, v *variant, original string) (dir string, remove func() error, err error) {
	if dir, err = os.MkdirTemp(e.dir, "variant"); err != nil {
		return "", nil, fmt.Errorf("make a directory: %w", err)
	}
	dir = filepath.Join(dir, "faulty")
	said, err := programs.PatchedCopy(ctx, dir, original, v.Fault)
	if err == nil && said != "" {
		err = errors.New("the seeded fault does not apply: " + said)
	}
	return dir, func() error { return os.RemoveAll(filepath.Dir(dir)) }, err
}

// seed seeds faults into a package and keeps those that its tests notice by a failure
// of concurrency. Tests that fail as they are are left out.
func (e *evaluation) seed(ctx context.Context, dir, pkg string) (p seededPackage, err error) {
	p.Package = pkg
	out, err := os.MkdirTemp(e.dir, "seeded")
	if err != nil {
		return p, fmt.Errorf("make a directory for patches: %w", err)
	}
	o := mendel.SeedOptions{
		Dir: dir, Package: "./" + pkg, Limit: 4 * e.o.Count, Budget: e.o.Seeding, Seed: e.o.Seed, Workers: e.o.Workers, Out: out,
	}
	res, err := mendel.Seed(ctx, o)
	for already := (*mendel.SeedFailsAlready)(nil); errors.As(err, &already) && len(p.Left) < mostLeft && ctx.Err() == nil; already = nil {
		for _, f := range already.Failures {
			name, _, _ := strings.Cut(f.Test, "/")
			p.Left = append(p.Left, name)
		}
		if o.Run, err = others(filepath.Join(dir, filepath.FromSlash(pkg)), p.Left); err != nil {
			return p, err
		}
		if o.Run == "" {
			p.Reason = fmt.Sprintf("all tests fail before a fault is seeded: %s", strings.Join(p.Left, ", "))
			return p, nil
		}
		res, err = mendel.Seed(ctx, o)
	}
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	if err != nil {
		p.Reason = tables.FirstLine(err.Error())
		return p, nil
	}
	p.Run, p.Possible, p.Noticed, p.Missed, p.Unknown = o.Run, res.Possible, res.Noticed, res.Missed, res.Unknown
	for _, v := range res.Variants {
		if v.Status != mendel.SeedNoticed || v.Failure.Alone {
			continue
		}
		patch, err := os.ReadFile(filepath.Join(out, v.Patch))
		if err != nil {
			return p, fmt.Errorf("read a seeded fault: %w", err)
		}
		p.Found = append(p.Found, &variant{
			Package: pkg, Run: o.Run, Operator: v.Operator, File: v.File, Line: v.Line, Words: v.Words,
			Kind: v.Failure.Kind, Test: v.Failure.Test, Message: v.Failure.Message, Fault: string(patch),
		})
	}
	return p, nil
}

// mostLeft is how many tests of a package are left out before it is given up.
const mostLeft = 10

// testName is the head of a test function.
var testName = regexp.MustCompile(`(?m)^func (Test\w*)\(\w+ \*testing\.T\)`)

// others is a -run pattern for the tests in a directory but some, "" if there are no others.
func others(dir string, but []string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return "", err
	}
	var names []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("list the tests: %w", err)
		}
		for _, m := range testName.FindAllSubmatch(text, -1) {
			if name := string(m[1]); !slices.Contains(but, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return "", nil
	}
	slices.Sort(names)
	return "^(" + strings.Join(names, "|") + ")$", nil
}

// choose takes count variants of each library, unless that is done. What one
// library cannot give is taken from the others, in turns.
func (r *report) choose(count int, seed uint64) {
	if !slices.ContainsFunc(r.Libraries, func(l *library) bool { return l.Variants == nil }) {
		return
	}
	counts, missing := make([]int, len(r.Libraries)), 0
	for i, l := range r.Libraries {
		counts[i] = min(count, l.noticed())
		missing += count - counts[i]
	}
	for given := true; missing > 0 && given; {
		given = false
		for i, l := range r.Libraries {
			if missing > 0 && counts[i] < l.noticed() {
				counts[i]++
				missing--
				given = true
			}
		}
	}
	for i, l := range r.Libraries {
		l.choose(counts[i], seed)
	}
}

// noticed is how many faults the tests of the library notice.
func (l *library) noticed() (n int) {
	for _, p := range l.Packages {
		n += len(p.Found)
	}
	return n
}

// choose takes variants by turns of the packages, and in each by turns of the
// operators, with everything in random order.
func (l *library) choose(count int, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	var lists [][]*variant
	for _, p := range l.Packages {
		list := slices.Clone(p.Found)
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		lists = append(lists, list)
	}
	used := map[string]int{}
	l.Variants = []*variant{}
	for turn := 0; len(l.Variants) < count && slices.ContainsFunc(lists, func(v []*variant) bool { return len(v) > 0 }); turn++ {
		i := turn % len(lists)
		if len(lists[i]) == 0 {
			continue
		}
		next := slices.MinFunc(lists[i], func(a, b *variant) int { return cmp.Compare(used[a.Operator], used[b.Operator]) })
		used[next.Operator]++
		lists[i] = slices.DeleteFunc(lists[i], func(v *variant) bool { return v == next })
		l.Variants = append(l.Variants, next)
	}
}
