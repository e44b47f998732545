package mendel

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/gotool"
)

// toldAtMost is how many notes of one sort are made of a file.
const toldAtMost = 5

// An asked is what the user asked to have repaired by naming a file
// (Options.From). A nil one stands for whatever fails.
type asked struct {
	file     string // for people
	again    string // for --from
	failures []evidence.Named
	targets  []target // those that concern the package

	program *analysis.Program
	noRace  bool // races show only by what they do
}

// A target is a failure of the file that has a place in the program.
type target struct {
	evidence.Failure        // frames that have no place left out, the others moved to it
	signature        string // as the file has it
	places           []place
}

// KeepEvidence copies what can be read only once, such as standard input, into
// an output directory, under a name that depends on the content, and returns
// that name for Options.From. What people know the text by is Options.FromName.
func KeepEvidence(out string, r io.Reader) (name string, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return "", fmt.Errorf("read the evidence: %w", err)
	}
	if err := prepareOut(out); err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	name = filepath.Join(out, fmt.Sprintf("from-%x.txt", sum[:4]))
	if err := gotool.WriteFile(name, text); err != nil {
		return "", fmt.Errorf("keep the evidence: %w", err)
	}
	return name, nil
}

// readFrom reads the file that names what to repair and, if no package was
// named, finds the one whose tests it is about.
func (r *repairer) readFrom(ctx context.Context) error {
	if r.o.From == "" {
		return nil
	}
	what := cmp.Or(r.o.FromName, r.o.From)
	text, err := os.ReadFile(r.o.From)
	if err != nil {
		return fmt.Errorf("read the evidence from %s: %w", what, err)
	}
	failures, err := evidence.Read(text)
	if err != nil {
		return fmt.Errorf("read the evidence in %s: %w", what, err)
	}
	if len(failures) == 0 {
		return fmt.Errorf("%s holds no race report, goroutine dump, leak profile, panic or failed test; save the output of go test -race to a file and name that", what)
	}
	r.asked = &asked{
		file: cmp.Or(r.o.FromName, filepath.Base(r.o.From)), again: r.o.From,
		failures: failures, noRace: r.o.NoRace || r.tool.RaceErr != nil,
	}
	if r.o.Package != "" {
		return nil
	}
	packages, err := r.tool.Packages(ctx, r.o.buildFlags(), filepath.Join(r.tool.ModuleDir, "..."))
	if err != nil {
		return err
	}
	f := finder{r.tool.ModuleDir, packages}
	for _, failure := range failures {
		if r.o.Package = f.find(failure); r.o.Package != "" {
			r.o.Observer.Printf("%s names %s", r.asked.file, r.o.Package)
			return nil
		}
	}
	r.o.Package = "."
	return nil
}

// A finder finds the package of a module whose tests a failure is about.
type finder struct {
	module   string // directory
	packages []gotool.Package
}

// find returns an import path; "" if the failure names no package of the
// module, or no single one. What the text says comes first, then the tests on
// the stacks, then where the goroutines stood, then which package has the test.
func (f finder) find(failure evidence.Named) string {
	if f.has(failure.Package) {
		return failure.Package
	}
	var frames []evidence.Frame
	for _, s := range failure.Stacks {
		frames = append(append(frames, s.Frames...), s.Created...)
	}
	for _, tests := range []bool{true, false} {
		for _, frame := range frames {
			if tests != strings.HasSuffix(frame.File, "_test.go") || evidence.Standard(frame.Func) {
				continue
			}
			if found := f.ofFrame(frame); found != "" {
				return found
			}
		}
	}
	return f.ofTest(topLevel(failure.Test))
}

func (f finder) has(path string) bool {
	return path != "" && slices.ContainsFunc(f.packages, func(p gotool.Package) bool { return p.Path == path })
}

// ofFrame is the package of a frame: the one of its function, or else the one
// with the longest directory in the module that its file's ends in.
func (f finder) ofFrame(frame evidence.Frame) string {
	named := analysis.ImportPath(frame)
	if f.has(named) {
		return named
	}
	dir := path.Dir(strings.ReplaceAll(frame.File, `\`, "/"))
	best, length := "", 0
	for _, p := range f.packages {
		rel, err := filepath.Rel(f.module, p.Dir)
		if err != nil || rel == "." || named != "main" && path.Base(named) != path.Base(p.Path) {
			continue
		}
		if rel = filepath.ToSlash(rel); (dir == rel || strings.HasSuffix(dir, "/"+rel)) && len(rel) > length {
			best, length = p.Path, len(rel)
		}
	}
	return best
}

// ofTest is the only package that has a test of this name; "" if there is not
// just one.
func (f finder) ofTest(test string) string {
	if test == "" {
		return ""
	}
	declared := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(test) + `\(`)
	found := ""
	for _, p := range f.packages {
		names, _ := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
		if !slices.ContainsFunc(names, func(name string) bool {
			text, err := os.ReadFile(name)
			return err == nil && declared.Match(text)
		}) {
			continue
		}
		if found != "" {
			return ""
		}
		found = p.Path
	}
	return found
}

// topLevel is the test that a subtest belongs to.
func topLevel(test string) string {
	test, _, _ = strings.Cut(test, "/")
	return test
}

// matchFrom matches the failures of the file with the source, says which have
// no place in it, and restricts the tests to those that they name.
func (r *repairer) matchFrom() error {
	a := r.asked
	if a == nil {
		return nil
	}
	a.program = r.program
	var unmatched, changed []string
	for _, f := range a.failures {
		t, ok, stale := a.match(f)
		if !ok {
			unmatched = append(unmatched, f.Message+": "+a.foreign(f, stale))
			continue
		}
		a.targets = append(a.targets, t)
		for _, why := range stale {
			if !slices.Contains(changed, why) {
				changed = append(changed, why)
			}
		}
	}
	if len(a.targets) == 0 {
		return fmt.Errorf("%s names %s, none with a place in %s:\n\t%s", a.file, failuresOf(len(a.failures)),
			strings.TrimSuffix(r.program.Packages[0].Path, "_test"), strings.Join(first(unmatched), "\n\t"))
	}
	for _, text := range first(unmatched) {
		r.note("%s, not matched with the source: %s", a.file, text)
	}
	for _, text := range first(changed) {
		r.note("%s: the source has changed since: %s", a.file, text)
	}
	if pattern := a.pattern(); r.o.Run == "" && pattern != "" {
		r.o.Run, r.result.Target.Run, r.program.Target.Run = pattern, pattern, pattern
	}
	return nil
}

func failuresOf(n int) string {
	if n == 1 {
		return "1 failure"
	}
	return fmt.Sprintf("%d failures", n)
}

// first shortens a list for people.
func first(list []string) []string {
	if len(list) <= toldAtMost {
		return list
	}
	return append(slices.Clone(list[:toldAtMost]), fmt.Sprintf("%d more", len(list)-toldAtMost))
}

// match gives a failure its places in the program; false if it has none. What
// of the source is not as the failure has it comes back in words.
func (a *asked) match(f evidence.Named) (t target, ok bool, stale []string) {
	own := strings.TrimSuffix(a.program.Packages[0].Path, "_test")
	if f.Package != "" && f.Package != own {
		return t, false, nil
	}
	t = target{Failure: f.Failure, signature: f.Signature}
	t.Stacks = slices.Clone(f.Stacks)
	for i := range t.Stacks {
		s := &t.Stacks[i]
		found := 0
		for _, frames := range []*[]evidence.Frame{&s.Frames, &s.Created} {
			var placed []evidence.Frame
			for _, frame := range *frames {
				p := a.program.Place(frame)
				if p.Why != "" && !slices.Contains(stale, p.Why) {
					stale = append(stale, p.Why)
				}
				if p.File != nil {
					placed = append(placed, evidence.Frame{Func: frame.Func, File: p.File.Name, Line: p.Line})
				}
			}
			if frames == &s.Frames {
				found = len(placed)
			}
			*frames = placed
		}
		ok = ok || found > 0
	}
	t.places = a.places(t.Stacks)
	test := topLevel(f.Test)
	if !a.program.HasTest(test) {
		t.Test = ""
	}
	return t, ok || t.Test != "", stale
}

// foreign says why a failure has no place in the program.
func (a *asked) foreign(f evidence.Named, stale []string) string {
	if len(stale) > 0 {
		return strings.Join(first(stale), "; ")
	}
	own := strings.TrimSuffix(a.program.Packages[0].Path, "_test")
	if f.Package != "" && f.Package != own {
		return fmt.Sprintf("of another package, %[1]s: mendel repair --from %[2]s %[1]s", f.Package, a.again)
	}
	for _, s := range f.Stacks {
		for _, frame := range s.Frames {
			if !evidence.Standard(frame.Func) {
				return fmt.Sprintf("%s:%d is no file of %s", frame.File, frame.Line, a.program.ModulePath())
			}
		}
	}
	if f.Test != "" {
		return fmt.Sprintf("%s has no test %s", own, topLevel(f.Test))
	}
	return "it names no file of " + a.program.ModulePath()
}

// pattern is the -run pattern of the tests that the failures name; "" if one
// of them names none.
func (a *asked) pattern() string {
	var tests []string
	for _, t := range a.targets {
		if t.Test == "" {
			return ""
		}
		if name := topLevel(t.Test); !slices.Contains(tests, name) {
			tests = append(tests, name)
		}
	}
	slices.Sort(tests)
	if len(tests) == 1 {
		return "^" + tests[0] + "$"
	}
	return "^(" + strings.Join(tests, "|") + ")$"
}

// given merges what the file names into the narrowing.
func (r *repairer) given() {
	a := r.asked
	if a == nil {
		return
	}
	failures := make([]evidence.Failure, len(a.targets))
	for i, t := range a.targets {
		failures[i] = t.Failure
	}
	added := r.narrowing.Merge(analysis.Given, failures...)
	r.o.Observer.Printf("%s names %s; tests: %s; %d findings are new", a.file, failuresOf(len(failures)), cmp.Or(r.o.Run, "all"), added)
}
