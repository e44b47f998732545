package checker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	goversion "go/version"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/checker/sched/explore"
	"mendel/internal/gotool"
	"mendel/internal/sample"
)

// unpack writes an archive's files to a new directory.
func unpack(t testing.TB, name string) (dir string) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, f := range archive.Files {
		if asked := os.Getenv("GOTOOLCHAIN"); filepath.Base(f.Name) == "go.mod" && goversion.IsValid(asked) && goversion.Compare(asked, "go1.26") < 0 {
			f.Data = bytes.Replace(f.Data, []byte("\ngo 1.26\n"), []byte("\ngo 1.25\n"), 1) // as .ci/toolchains tries it
		}
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A change replaces text in a file of a program.
type change struct{ file, old, new string }

// mutant is a program's source with some changes, as Build wants it.
func mutant(t testing.TB, c *Checker, changes ...change) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, change := range changes {
		f := c.c.Program.File(change.file)
		if f == nil {
			t.Fatalf("no file %s", change.file)
			return nil
		}
		text, ok := files[f.Name]
		if !ok {
			text = f.Source
		}
		if strings.Count(string(text), change.old) != 1 {
			t.Fatalf("%s does not have %q once", change.file, change.old)
		}
		files[f.Name] = []byte(strings.Replace(string(text), change.old, change.new, 1))
	}
	return files
}

// results is what binaries report of so many schedules, in a form that can be compared.
func results(t *testing.T, b *Binary, schedules int) string {
	t.Helper()
	r := mustCheck(t, b, Search{Schedules: schedules, Budget: time.Minute, Seed: 7, All: true, Explain: true, Sample: 20})
	r.Seconds = 0
	files := []string{}
	for _, f := range r.Failures {
		file, err := b.File(f)
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.Replay(t.Context(), f.Schedule)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(again, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file.String(), string(text))
	}
	text, err := json.MarshalIndent(map[string]any{"report": r, "files": files, "uncontrolled": b.Uncontrolled()}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// same fails unless programs from BuildAll report what those from Build do. It
// returns what they report. How many are built alone, too, compared says.
func same(t *testing.T, c *Checker, sets []map[string][]byte) []string {
	t.Helper()
	return sameAfter(t, c, sets, 100)
}

// sameAfter is same with a number of schedules.
func sameAfter(t *testing.T, c *Checker, sets []map[string][]byte, schedules int) []string {
	t.Helper()
	built, err := c.BuildAll(t.Context(), sets)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, one := range built {
		if one.Err != nil {
			t.Fatalf("program %d: BuildAll %v", i, one.Err)
		}
		got := results(t, one.Binary, schedules)
		if slices.Contains(compared(len(sets)), i) {
			alone, err := c.Build(t.Context(), sets[i])
			if err != nil {
				t.Fatalf("program %d: Build %v", i, err)
			}
			if diff := cmp.Diff(results(t, alone, schedules), got); diff != "" {
				t.Errorf("program %d: -alone +together:\n%s", i, diff)
			}
			if err := alone.Close(); err != nil {
				t.Error(err)
			}
		}
		all = append(all, got)
		if err := one.Binary.Close(); err != nil {
			t.Error(err)
		}
	}
	left, err := filepath.Glob(filepath.Join(c.dir, "b*"))
	kept := c.kept.Len() + c.alone.Len()
	if c.first.binary != nil {
		kept++
	}
	if err != nil || len(left) > kept {
		t.Errorf("left after Close: %v (%v), and %d are kept", left, err, kept)
	}
	return all
}

// compared are the numbers of those of n programs that same builds alone, too.
func compared(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = n - 1 - i // the first one is often the original
	}
	return sample.Of(1, all)
}

// Programs that combine variants which were built before need no build, and report what they
// do alone: several functions changed, a field of another one used, package state written by
// one of them alone.
func TestCombinationsAreTheSame(t *testing.T) {
	c := load(t, unpack(t, "testdata/batch/variants.txtar"), analysis.Target{}, Config{Workers: 1, Incremental: true})
	v := func(old, new string) change { return change{"v.go", old, new} }
	cancel := v("\tcancel()\n\t<-ctx.Done()\n", "\tdefer cancel()\n\t<-ctx.Done()\n")
	unlocked := v("\t\ts.mu.Lock()\n\t\tadd()\n\t\ts.mu.Unlock()\n", "\t\tadd()\n")
	most := v("x > most", "x < most")
	one := v("func one() int { return 1 }", "func one() int { return 2 }")
	variable := v("type store struct", "var count atomic.Int64\n\ntype store struct")
	imported := v("\t\"sync\"\n", "\t\"sync\"\n\t\"sync/atomic\"\n")
	counted := v("func one() int { return 1 }", "func one() int { return int(count.Add(1)) }")
	built, err := c.BuildAll(t.Context(), []map[string][]byte{
		mutant(t, c, cancel), mutant(t, c, unlocked), mutant(t, c, most), mutant(t, c, one), mutant(t, c, imported, variable, counted),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range built {
		if err := errors.Join(b.Err, b.Binary.Close()); err != nil {
			t.Error(err)
		}
	}
	sets := []map[string][]byte{
		nil,
		mutant(t, c, cancel, unlocked),
		mutant(t, c, unlocked, most, one),
		mutant(t, c, most, imported, variable, counted),
	}
	before := c.Builds()
	same(t, c, sets)
	if n := c.Builds(); n.Executables-before.Executables != len(compared(len(sets))) || n.Variants-before.Variants != len(sets) {
		t.Errorf("%+v after %+v: want one executable for each alone, and none besides", n, before)
	}
	if !sample.All() {
		return
	}
	before = c.Builds()
	same(t, c, []map[string][]byte{nil, mutant(t, c, v("x > most", "x == most"))})
	if n := c.Builds(); n.Variants-before.Variants != 1 {
		t.Errorf("%+v after %+v: what has a new text is no variant", n, before)
	}
}

// A program whose package under test is internal, has internal and external
// tests, TestMain, state of its own, and a helper that imports it.
func TestBatchIsTheSame(t *testing.T) {
	c := load(t, unpack(t, "testdata/batch/bank.txtar"), analysis.Target{Package: "./internal/bank.v1"}, Config{Workers: 1})
	const bank, audit = "internal/bank.v1/bank.go", "audit/audit.go"
	sets := []map[string][]byte{
		nil,
		mutant(t, c, change{bank, "\ta.mu.Lock()\n\tdefer a.mu.Unlock()\n\ta.balance += n", "\ta.balance += n"}),         // a race
		mutant(t, c, change{bank, "if from.id > to.id", "if false"}),                                                     // a deadlock
		mutant(t, c, change{bank, "func first100() int { return 100 }", "func first100() int { return 99 }"}),            // fails the test, by what TestMain prepares
		mutant(t, c, change{audit, "return len(log)", "if len(log) == 2 {\n\t\tpanic(entry{})\n\t}\n\treturn len(log)"}), // a panic, in another package
		mutant(t, c, change{"internal/bank.v1/bank_test.go", "close(done)", ""}),                                         // blocked for ever
		mutant(t, c, change{bank, "opened++", "opened += 2"}),                                                            // package state
	}
	before := c.Builds()
	all := same(t, c, sets)
	if n := c.Builds(); n.Executables-before.Executables != 1+len(compared(len(sets))) || n.Programs-before.Programs != len(sets)+len(compared(len(sets))) || n.Variants != len(sets) {
		t.Errorf("%+v after %+v: want one executable for all", n, before)
	}
	for i, want := range []string{`"verdict": "covered"`, "race: ", "deadlock: ", "test-failure: ", "in Note audit.go", "blocked: ", "opened 4"} {
		if !strings.Contains(all[i], want) {
			t.Errorf("program %d does not say %q", i, want)
		}
	}
	for i, text := range all {
		if strings.Contains(text, "zzc") {
			t.Errorf("program %d tells that it is a clone", i)
		}
	}
}

// Variants of functions of all kinds: with results that have names, parameters that are declared again,
// labels, function literals, recover, their own line, type parameters; and what is declared
// besides.
func TestVariantsAreTheSame(t *testing.T) {
	c := load(t, unpack(t, "testdata/batch/variants.txtar"), analysis.Target{}, Config{Workers: 1})
	v := func(old, new string) change { return change{"v.go", old, new} }
	// Programs change several functions where none hides what another does.
	sets := []map[string][]byte{
		nil,
		mutant(t, c, v("\tn, rest, err := split(text)\n", "\t// one more line\n\tn, rest, err := split(text + text)\n"), v("\t_, _, line, _ :=", "\n\n\t_, _, line, _ :="), v("x > most", "x < most")),
		mutant(t, c, v("\tif err != nil {\n\t\treturn n, err\n\t}\n", ""), v("continue outer", "break"), v("sum *= 2", "sum *= 3"), v("func one() int { return 1 }", "func one() int { return 2 }")),
		mutant(t, c, v("\tcancel()\n\t<-ctx.Done()\n", "\tdefer cancel()\n\t<-ctx.Done()\n")),
		mutant(t, c, v("\t\ts.mu.Lock()\n\t\tadd()\n\t\ts.mu.Unlock()\n", "\t\tadd()\n"), v("defer keep(&what)", "defer func() { keep(&what) }()")),
		mutant(t, c, v("\t\tadd()\n", "\t\tfunc() { add(); panic(s.n) }()\n")),
		mutant(t, c, v("*what = recover()", "if r := recover(); r != nil {\n\t\t*what = r\n\t}"), v("func nothing() {}", "func nothing() { panic(\"no\") }")),
		mutant(t, c, v("\tn  int\n", "\tn  int\n\tadding sync.RWMutex\n"), v("add()\n\t\ts.mu", "s.adding.Lock()\n\t\tadd()\n\t\ts.adding.Unlock()\n\t\ts.mu")),
		mutant(t, c, v("\t\"sync\"\n", "\t\"sync\"\n\t\"sync/atomic\"\n"), v("type store struct", "var count atomic.Int64\n\ntype store struct"), v("func() { s.n++ }", "func() { s.n = int(count.Add(1)) }")),
		mutant(t, c, v("func one() int", "func (s *store) more() { s.n++ }\n\nfunc one() int"), v("func() { s.n++ }", "func() { s.more() }")),
		mutant(t, c, v("func one() int", "func (s *store) more() { s.n += 2 }\n\nfunc one() int"), v("func() { s.n++ }", "func() { s.more() }")),
	}
	all := same(t, c, sets)
	if n := c.Builds(); n.Executables != 1+len(compared(len(sets))) || n.Variants != len(sets) {
		t.Errorf("%+v: want one executable for all", n)
	}
	for i, want := range map[int]string{0: `"verdict": "covered"`, 4: "race: ", 5: "start.func2.1", 6: "panic: "} {
		if !strings.Contains(all[i], want) {
			t.Errorf("program %d does not say %q:\n%s", i, want, all[i])
		}
	}
}

// Edits of a real program, such as a repair makes, good and bad.
func TestBatchOfSubject(t *testing.T) {
	sample.Whole(t, "TestBatchIsTheSame has such edits of a program of several packages")
	const fromTo = "\ta.mu.Lock()\n\ta.amount -= n\n\tto.amount += n\n\ta.mu.Unlock()\n"
	c := load(t, filepath.Join("..", "subjects", "account"), analysis.Target{}, Config{Workers: 1})
	sets := []map[string][]byte{
		nil,
		mutant(t, c, change{"account.go", fromTo, "\ta.mu.Lock()\n\tto.mu.Lock()\n\ta.amount -= n\n\tto.amount += n\n\tto.mu.Unlock()\n\ta.mu.Unlock()\n"}),
		mutant(t, c, change{"account.go", fromTo, "\ta.mu.Lock()\n\ta.amount -= n\n\ta.mu.Unlock()\n\tto.mu.Lock()\n\tto.amount += n\n\tto.mu.Unlock()\n"}),
	}
	all := same(t, c, sets)
	for i, want := range []string{`"kind": "race"`, `"kind": "deadlock"`, `"verdict": "`} {
		if !strings.Contains(all[i], want) {
			t.Errorf("program %d does not say %s", i, want)
		}
	}
	if n := c.Builds(); n.Executables != 1+len(compared(len(sets))) {
		t.Errorf("%+v: want one executable for the batch of %d", n, len(sets))
	}
}

const box = `package zoo

import "sync"

type box struct {
	mu sync.Mutex
	n  int
}

func (b *box) add() {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
}

var first = newBox()

func newBox() *box { return &box{} }
`

const boxTest = `package zoo

import "testing"

func TestAdd(t *testing.T) {
	b, done := newBox(), make(chan bool)
	go func() {
		b.add()
		close(done)
	}()
	b.add()
	<-done
	if b.n != 2 || first.n != 0 {
		t.Error(b.n)
	}
}
`

// A program that does not compile leaves the others alone, whichever step refuses
// it, and its error is that of a build alone.
func TestBatchWithErrors(t *testing.T) {
	c := load(t, module(t, map[string]string{"box.go": box, "box_test.go": boxTest}), analysis.Target{}, Config{})
	sets := []map[string][]byte{
		mutant(t, c, change{"box.go", "b.n++", "b.n += 1"}),
		mutant(t, c, change{"box.go", "b.n++", "b.m++"}),                               // go/types
		mutant(t, c, change{"box.go", "b.n++", "b.n += int(new([1 << 60]byte)[b.n])"}), // the compiler alone
		mutant(t, c, change{"box.go", "b.mu.Unlock()", ""}),                            // deadlock
		mutant(t, c, change{"box.go", "b.n++", "b.n++ }"}),                             // no Go
		mutant(t, c, change{"box.go", "{ return &box{} }", "{ panic(\"no\") }"}),       // when it is initialised
	}
	built, err := c.BuildAll(t.Context(), sets)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 2, 4} {
		_, want := c.Build(t.Context(), sets[i])
		got := built[i].Err
		if got == nil || want == nil || want.Error() != got.Error() || errors.As(want, new(*gotool.BuildError)) != errors.As(got, new(*gotool.BuildError)) {
			t.Errorf("program %d: %v, alone %v", i, got, want)
		}
	}
	for i, want := range map[int]string{0: "covered", 3: "failed: deadlock", 5: "inconclusive: the test process crashed"} {
		if built[i].Err != nil {
			t.Fatal(built[i].Err)
		}
		if r := mustCheck(t, built[i].Binary, Search{Schedules: 50}); !strings.HasPrefix(r.String(), want) {
			t.Errorf("program %d: want %s", i, want)
		}
		if err := built[i].Binary.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The others keep their executable when one of them does not compile.
func TestBatchBlames(t *testing.T) {
	c := load(t, module(t, map[string]string{"box.go": box, "box_test.go": boxTest}), analysis.Target{}, Config{})
	sets := []map[string][]byte{
		nil,
		mutant(t, c, change{"box.go", "b.n++", "b.n += int(new([1 << 60]byte)[b.n])"}),
		mutant(t, c, change{"box.go", "b.n++", "b.n += 1"}),
	}
	built, err := c.BuildAll(t.Context(), sets)
	if err != nil || built[0].Err != nil || built[1].Err == nil || built[2].Err != nil {
		t.Fatalf("%+v, %v", built, err)
	}
	if built[0].Binary.path != built[2].Binary.path {
		t.Error("the others have executables of their own")
	}
	if n := c.Builds(); n.Programs != 2 || n.Executables != 4 || n.Time <= 0 {
		t.Errorf("%+v: want 2 programs of 4 executables: all as variants, of which the compiler names none, all as clones, without the second, the second", n)
	}
	if err := built[0].Binary.Close(); err != nil {
		t.Error(err)
	}
	if r := mustCheck(t, built[2].Binary, Search{}); r.Verdict != explore.Covered {
		t.Errorf("after the other was closed: %s", r)
	}
	if err := built[2].Binary.Close(); err != nil {
		t.Error(err)
	}
}

// Programs that have variants of functions share an executable, whatever else keeps them
// from it; those whose types differ are built one by one. Flags count.
func TestBatchAlone(t *testing.T) {
	hindered := map[string]map[string]string{
		"flag":    {"flag.go": "package zoo\n\nimport \"flag\"\n\nvar size = flag.Int(\"size\", 1, \"\")\n"},
		"command": {"box.go": strings.Replace(box, "package zoo", "package main", 1) + "\nfunc main() {}\n", "box_test.go": strings.Replace(boxTest, "package zoo", "package main", 1)},
		"itself":  {"itself.go": "package zoo\n\nimport \"os\"\n\nfunc itself() (string, error) { return os.Executable() }\n"},
		"tags":    {"tagged.go": "//go:build special\n\npackage zoo\n\nfunc init() { first = nil }\n"},
	}
	for _, name := range sample.Of(1, slices.Sorted(maps.Keys(hindered))) {
		t.Run(name, func(t *testing.T) {
			all := map[string]string{"box.go": box, "box_test.go": boxTest}
			maps.Copy(all, hindered[name])
			c := load(t, module(t, all), analysis.Target{Flags: []string{"-trimpath", "-tags=other"}}, Config{})
			unlocked := change{"box.go", "b.mu.Lock()\n", ""}
			together := 2
			if name == "tags" {
				together = 1
			}
			judge(t, c, []map[string][]byte{nil, mutant(t, c, unlocked)}, 1)
			wide := change{"box.go", "n  int", "n  int64"}
			wider := change{"box.go", "n  int", "n  uint64"}
			judge(t, c, []map[string][]byte{mutant(t, c, wide), mutant(t, c, wider, unlocked)}, together)
			if sample.All() {
				judge(t, c, []map[string][]byte{mutant(t, c, wide), mutant(t, c, wide, unlocked)}, 1)
			}
		})
	}
}

// judge builds a right and a wrong program, in so many executables, and checks them.
func judge(t *testing.T, c *Checker, sets []map[string][]byte, executables int) {
	t.Helper()
	before := c.Builds()
	built, err := c.BuildAll(t.Context(), sets)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []explore.Verdict{explore.Covered, explore.Failed} {
		if built[i].Err != nil {
			t.Fatal(built[i].Err)
		}
		if r := mustCheck(t, built[i].Binary, Search{}); r.Verdict != want {
			t.Errorf("program %d: want %s", i, want)
		}
		if err := built[i].Binary.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := c.Builds(); n.Executables-before.Executables != executables {
		t.Errorf("%+v: want %d executables", n, executables)
	}
}

const stateTest = `package zoo

import (
	"os"
	"testing"
)

func TestState(t *testing.T) {
	n := os.Getenv("ZOO")
	os.Setenv("ZOO", n+"x")
	first.add()
	for range len(n) {
		newBox().add()
	}
	if first.n != 1 {
		t.Error(first.n)
	}
}
`

// Where each execution has a process of its own, its state is that of one program,
// and nothing resets it.
func TestBatchPerProcess(t *testing.T) {
	c := load(t, module(t, map[string]string{"box.go": box, "box_test.go": stateTest}), analysis.Target{}, Config{Workers: 1})
	sets := []map[string][]byte{nil, mutant(t, c, change{"box.go", "b.n++", "b.n += 2"})}
	for i, text := range sameAfter(t, c, sets, 12) { // a process each
		for _, want := range []string{[]string{`"passed"`, `"failed"`}[i], `"per_process": true`} {
			if !strings.Contains(text, want) {
				t.Errorf("program %d does not say %s", i, want)
			}
		}
	}
}

func TestBatchEnds(t *testing.T) {
	c := load(t, module(t, map[string]string{"box.go": box, "box_test.go": boxTest}), analysis.Target{}, Config{})
	if built, err := c.BuildAll(t.Context(), nil); len(built) != 0 || err != nil {
		t.Errorf("of none: %v, %v", built, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if built, err := c.BuildAll(ctx, []map[string][]byte{nil, nil}); built != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v, %v", built, err)
	}
	c = load(t, module(t, map[string]string{"box.go": box}), analysis.Target{}, Config{})
	built, err := c.BuildAll(t.Context(), []map[string][]byte{nil})
	if err != nil || len(built) != 1 || !errors.Is(built[0].Err, gotool.ErrNoTests) {
		t.Errorf("without tests: %v, %v", built, err)
	}
}

// Where batches fail time and again, for whatever reason, none is tried any more.
func TestBatchGivesUp(t *testing.T) {
	c := load(t, module(t, map[string]string{"box.go": box, "box_test.go": boxTest}), analysis.Target{}, Config{})
	c.unshared.Store(maxUnshared - 1)
	for _, size := range []string{"1", "2"} { // two mutants, as none is built again
		crash := mutant(t, c, change{"box.go", "= newBox()", "= (*[" + size + "]*box)(nil)[0]"})
		built, err := c.BuildAll(t.Context(), []map[string][]byte{crash, nil})
		if err != nil || built[0].Err != nil || built[1].Err != nil {
			t.Fatalf("%+v, %v", built, err)
		}
		if err := errors.Join(built[0].Binary.Close(), built[1].Binary.Close()); err != nil {
			t.Error(err)
		}
	}
	if n := c.Builds(); n.Executables != 5 || n.Programs != 4 {
		t.Errorf("%+v: want a batch and two programs, then two programs", n)
	}
}

func TestSilent(t *testing.T) {
	for output, want := range map[string]bool{
		"PASS\n": true, "PASS\ncoverage: 0.0% of statements\n": true,
		"": false, "hello\nPASS\n": false, "PASS\nbye\n": false, "PASS\ncoverage: 1\nbye\n": false,
	} {
		if silent(output) != want {
			t.Errorf("%q: want %v", output, want)
		}
	}
}

// Programs that are laid out otherwise: in a workspace, with a vendor
// directory, with external tests only, whose entry they then have.
func TestBatchLayouts(t *testing.T) {
	sample.Whole(t, "TestBatchIsTheSame has tests of both kinds, and checker/instrument's TestDependencies modules that are laid out otherwise")
	for _, name := range []string{"workspace", "vendored", "external"} {
		t.Run(name, func(t *testing.T) {
			dir := unpack(t, "testdata/batch/"+name+".txtar")
			c := load(t, filepath.Join(dir, "p"), analysis.Target{}, Config{Workers: 1})
			sets := []map[string][]byte{nil, mutant(t, c, change{"p_test.go", "want = 3", "want = 4"})}
			for i, text := range same(t, c, sets) {
				if want := []string{`"covered"`, `"failed"`}[i]; !strings.Contains(text, want) {
					t.Errorf("program %d does not say %s", i, want)
				}
			}
			if n := c.Builds(); n.Executables != 1+len(compared(len(sets))) {
				t.Errorf("%+v: want one executable for the batch", n)
			}
		})
	}
}

func TestBlamed(t *testing.T) {
	const output = "# example.com/p/zzc12/p\n./p.go:3:1: undefined: x\n# example.com/q\n/zzc3/ is no clone here\n"
	for clone, want := range map[string]bool{"zzc12": true, "zzc1": false, "zzc3": false} {
		if blamed(output, clone) != want {
			t.Errorf("%s: want %v", clone, want)
		}
	}
}
