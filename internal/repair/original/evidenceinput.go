package original

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/gotool"
	"mendel/internal/repair/setup"
)

// An Input is the file that names what to repair (result.Wanted.From),
// as it was read.
type Input struct {
	file     string // for people
	again    string // for --from
	failures []evidence.Named
	schedule *checker.File // that the text is; nil: it is something else
}

// WantedFailures are the failures of an evidence input that concern the
// program. A nil one stands for whatever fails.
type WantedFailures struct {
	input   *Input
	targets []target
	program *analysis.Program
	noRace  bool // races show only by what they do
}

// A target is a failure of the input that has a place in the program.
type target struct {
	evidence.Failure        // frames that have no place left out, the others moved to it
	signature        string // as the file has it
	places           []place
}

// ReadInput reads the file that names what to repair, and is known to people by another name or its own; nil if
// there is none.
func ReadInput(from, fromName string) (*Input, error) {
	if from == "" {
		return nil, nil
	}
	what := cmp.Or(fromName, from)
	text, err := os.ReadFile(from)
	if err != nil {
		return nil, fmt.Errorf("read the evidence from %s: %w", what, err)
	}
	failures, schedule, own, err := ownEvidence(text)
	if !own {
		failures, err = evidence.Read(text)
	}
	if err != nil {
		return nil, fmt.Errorf("read the evidence in %s: %w", what, err)
	}
	if len(failures) == 0 {
		return nil, fmt.Errorf("%s holds no race report, goroutine dump, leak profile, panic or failed test; save the output of go test -race to a file and name that", what)
	}
	return &Input{file: cmp.Or(fromName, filepath.Base(from)), again: from, failures: failures, schedule: schedule}, nil
}

// FindPackage finds the package of a module whose tests an input is about; "."
// if it names none.
func (in *Input) FindPackage(ctx context.Context, tool *gotool.Toolchain, flags []string, p *setup.Progress) (string, error) {
	packages, err := tool.Packages(ctx, flags, filepath.Join(tool.ModuleDir, "..."))
	if err != nil {
		return "", err
	}
	f := finder{tool.ModuleDir, packages}
	for _, failure := range in.failures {
		if pkg := f.find(failure); pkg != "" {
			p.Printf("%s names %s", in.file, pkg)
			return pkg, nil
		}
	}
	return ".", nil
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

// Match matches the failures of an input with the source, and says which have no
// place in it. It is an error if none has one. No input stands for whatever fails.
func (in *Input) Match(s *setup.Setup) (*WantedFailures, error) {
	if in == nil {
		return nil, nil
	}
	w := &WantedFailures{input: in, program: s.Program, noRace: s.NoRace}
	var unmatched, changed []string
	for _, f := range in.failures {
		t, ok, stale := w.place(f)
		if !ok {
			unmatched = append(unmatched, f.Message+": "+w.whyUnmatched(f, stale))
			continue
		}
		w.targets = append(w.targets, t)
		for _, why := range stale {
			if !slices.Contains(changed, why) {
				changed = append(changed, why)
			}
		}
	}
	if len(w.targets) == 0 {
		return nil, fmt.Errorf("%s names %s, none with a place in %s:\n\t%s", w.input.file, failuresOf(len(w.input.failures)),
			strings.TrimSuffix(s.Program.Packages[0].Path, "_test"), strings.Join(setup.First(unmatched), "\n\t"))
	}
	for _, text := range setup.First(unmatched) {
		s.Progress.Note("%s, not matched with the source: %s", w.input.file, text)
	}
	for _, text := range setup.First(changed) {
		s.Progress.Note("%s: the source has changed since: %s", w.input.file, text)
	}
	return w, nil
}

func failuresOf(n int) string {
	if n == 1 {
		return "1 failure"
	}
	return fmt.Sprintf("%d failures", n)
}

// place gives a failure its places in the program; false if it has none. What
// of the source is not as the failure has it comes back in words.
func (w *WantedFailures) place(f evidence.Named) (t target, ok bool, stale []string) {
	own := strings.TrimSuffix(w.program.Packages[0].Path, "_test")
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
				p := w.program.Place(frame)
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
	t.places = w.places(t.Stacks)
	test := topLevel(f.Test)
	if !w.program.HasTest(test) {
		t.Test = ""
	}
	return t, ok || t.Test != "", stale
}

// whyUnmatched says why a failure has no place in the program.
func (w *WantedFailures) whyUnmatched(f evidence.Named, stale []string) string {
	if len(stale) > 0 {
		return strings.Join(setup.First(stale), "; ")
	}
	own := strings.TrimSuffix(w.program.Packages[0].Path, "_test")
	if f.Package != "" && f.Package != own {
		return fmt.Sprintf("of another package, %[1]s: mendel repair --from %[2]s %[1]s", f.Package, w.input.again)
	}
	for _, s := range f.Stacks {
		for _, frame := range s.Frames {
			if !evidence.Standard(frame.Func) {
				return fmt.Sprintf("%s:%d is no file of %s", frame.File, frame.Line, w.program.ModulePath())
			}
		}
	}
	if f.Test != "" {
		return fmt.Sprintf("%s has no test %s", own, topLevel(f.Test))
	}
	return "it names no file of " + w.program.ModulePath()
}

// Pattern is the -run pattern of the tests that the failures name; "" if one
// of them names none.
func (w *WantedFailures) Pattern() string {
	if w == nil {
		return ""
	}
	var tests []string
	for _, t := range w.targets {
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

// Merge merges what the input names into the narrowing.
func (w *WantedFailures) Merge(n *analysis.Narrowing, s *setup.Setup) {
	if w == nil {
		return
	}
	failures := make([]evidence.Failure, len(w.targets))
	for i, t := range w.targets {
		failures[i] = t.Failure
	}
	added := n.Merge(analysis.Given, failures...)
	s.Progress.Printf("%s names %s; tests: %s; %d findings are new", w.input.file, failuresOf(len(failures)), cmp.Or(s.Run, "all"), added)
}
