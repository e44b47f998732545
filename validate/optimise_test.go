package validate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/addunlock"
)

func TestOptimiseNarrows(t *testing.T) {
	w := loadBank(t)
	wide := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "begin", 3))

	t.Run("to the access", func(t *testing.T) {
		fix := validate(t, w.validator(t, &fakeRunner{fail: unlockedDeposit}, nil), wide)
		if got := body(string(fix.Mutant.Files[w.program.File("bank.go").Name]), "Deposit"); !strings.Contains(got, "a.mu.Lock()\n\ta.amount += n\n\ta.mu.Unlock()") {
			t.Errorf("the section was not narrowed to the access:%s", got)
		}
		if fix.Guarded != 1 || fix.Confirmed.Runs != 150 || fix.Score.Runs != 150 {
			t.Errorf("guarded %d, confirmed %+v", fix.Guarded, fix.Confirmed)
		}
	})
	t.Run("as far as it is confirmed", func(t *testing.T) {
		// The last statement belongs in the section, which shows late.
		fail := func(src string, run int) bool {
			return unlockedDeposit(src, run) || run == 140 && !locked(src, "Deposit", "end")
		}
		fix := validate(t, w.validator(t, &fakeRunner{fail: fail}, nil), wide)
		if fix.Guarded != 2 || !locked(string(fix.Mutant.Files[w.program.File("bank.go").Name]), "Deposit", "end") {
			t.Errorf("guarded %d: %+v", fix.Guarded, fix.Steps)
		}
		if !slices.ContainsFunc(fix.Steps, func(s Step) bool { return !s.Kept && strings.Contains(s.Reason, "run 141 of 150") }) {
			t.Errorf("steps do not tell of the refusal: %+v", fix.Steps)
		}
	})
	t.Run("not when it is slower", func(t *testing.T) {
		elapsed := func(src string) time.Duration {
			if locked(src, "Deposit", "begin") && locked(src, "Deposit", "end") {
				return 10 * time.Millisecond
			}
			return 12 * time.Millisecond
		}
		fix := validate(t, w.validator(t, &fakeRunner{fail: unlockedDeposit, elapsed: elapsed}, nil), wide)
		if fix.Guarded != 3 {
			t.Errorf("guarded %d: %+v", fix.Guarded, fix.Steps)
		}
	})
	t.Run("within the limit of steps", func(t *testing.T) {
		runner := &fakeRunner{fail: func(src string, _ int) bool {
			return !locked(src, "Deposit", "begin") || !locked(src, "Deposit", "end")
		}}
		validate(t, w.validator(t, runner, func(o *Options) { o.OptimizeSteps = 1 }), wide)
		if len(runner.series) != 2 {
			t.Errorf("%d series of runs for a confirmation and one step", len(runner.series))
		}
	})
	t.Run("not without a narrowing", func(t *testing.T) {
		fix := validate(t, w.validator(t, &fakeRunner{}, func(o *Options) { o.Narrowing = nil }), wide)
		if fix.Mutant != wide {
			t.Errorf("changed to %v", editNames(fix.Mutant))
		}
	})
}

// Noise that shows no failure is no reason to let an access out of a section:
// the two statements may have to happen together.
func TestOptimiseKeepsAccessesTogether(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Twice", "a.amount +=", 3))
	fix := validate(t, w.validator(t, &fakeRunner{}, nil), m)
	src := string(fix.Mutant.Files[w.program.File("bank.go").Name])
	if !locked(src, "Twice", "amount +=") || !locked(src, "Twice", "a.last =") {
		t.Errorf("an access was let out:%s", body(src, "Twice"))
	}
	if locked(src, "Twice", "twice") {
		t.Errorf("the statement without an access was kept in:%s", body(src, "Twice"))
	}
}

// Two sections one right after the other become one, whatever a measurement
// says: one section cannot be slower than two that cover the same.
func TestOptimiseJoinsSections(t *testing.T) {
	w := loadBank(t)
	first := w.edit(t, "guard", "(*Account).Twice", "a.amount +=", 1)
	second := w.edit(t, "guard", "(*Account).Twice", "a.last =", 1)
	one := func(src string) bool { return strings.Count(body(src, "Twice"), "a.mu.Lock()") == 1 }
	elapsed := func(src string) time.Duration {
		if one(src) {
			return 20 * time.Millisecond
		}
		return 10 * time.Millisecond
	}
	fail := func(src string, _ int) bool {
		return !locked(src, "Twice", "a.amount +=") || !locked(src, "Twice", "a.last =")
	}
	fix := validate(t, w.validator(t, &fakeRunner{fail: fail, elapsed: elapsed}, nil), w.mutant(t, first, second))
	src := string(fix.Mutant.Files[w.program.File("bank.go").Name])
	if !one(src) || fix.Guarded != 2 {
		t.Errorf("guarded %d, not one section of the two statements:%s\n%+v", fix.Guarded, body(src, "Twice"), fix.Steps)
	}
}

// Once a failure has named a variable, others may be read outside of the
// section, but nothing that others can reach is changed there.
func TestOptimiseCoversWhatFailed(t *testing.T) {
	w := loadBank(t)
	file := w.program.File("bank.go")
	for _, tt := range []struct {
		function, text string
		named          bool
		want           int
	}{
		{"Mark", "last", false, 2},
		{"Mark", "last", true, 2},
		{"Show", "last :=", false, 2},
		{"Show", "last :=", true, 1},
	} {
		both := w.edit(t, "guard", "(*Account)."+tt.function, tt.text, 2)
		frame := evidence.Frame{Func: "example.com/bank.(*Account)." + tt.function, File: file.Name, Line: both.Line + 1}
		n := analysis.NarrowTo(w.program, shared)
		if tt.named {
			n.Merge(analysis.Dynamic, evidence.Failure{Kind: evidence.Race, Signature: "amount", Stacks: []evidence.Stack{
				{Role: "write", Frames: []evidence.Frame{frame}},
				{Role: "previous write", Frames: []evidence.Frame{frame}},
			}})
		}
		fix := validate(t, w.validator(t, &fakeRunner{}, func(o *Options) { o.Narrowing = n }), w.mutant(t, both))
		if src := string(fix.Mutant.Files[file.Name]); fix.Guarded != tt.want || !locked(src, tt.function, "amount +=") {
			t.Errorf("guarded %d, want %d:%s", fix.Guarded, tt.want, body(src, tt.function))
		}
	}
}

// An edit that only shrinks makes the patch longer; a clear gain of time pays for it.
func TestOptimiseShrinksForSpeed(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	for _, test := range []struct {
		name  string
		early time.Duration // with "end" first
		want  int           // edits
	}{
		{"clearly faster", 5 * time.Millisecond, 2},
		{"hardly faster", 9500 * time.Microsecond, 1},
		{"slower", 11 * time.Millisecond, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			elapsed := func(src string) time.Duration {
				if text := body(src, "Deposit"); strings.Index(text, "amount") < strings.Index(text, "end") {
					return 10 * time.Millisecond
				}
				return test.early
			}
			fix := validate(t, w.validator(t, &fakeRunner{elapsed: elapsed}, nil), m)
			if len(fix.Mutant.Edits) != test.want {
				t.Errorf("edits %v; %+v", editNames(fix.Mutant), fix.Steps)
			}
		})
	}
}

// A serialising fix gives way to a sibling, even one with a longer section.
func TestOptimiseFreesGoroutines(t *testing.T) {
	w := loadBank(t)
	for _, count := range []int{1, 3} {
		first := map[int]string{1: "amount", 3: "begin"}[count]
		m := w.mutant(t, flagged(w.edit(t, "guard", "(*Account).Deposit", first, count), mutate.Serialises))
		fix := validate(t, w.validator(t, &fakeRunner{fail: unlockedDeposit}, nil), m)
		if !slices.Equal(fix.Flags, []mutate.Flag{mutate.IncompleteGuard}) { // other methods have no lock
			t.Errorf("%d statements: flags %v remain: %+v", count, fix.Flags, fix.Steps)
		}
	}
}

// What the source shows to be wrong at several places is not traded for what mends one of them.
func TestOptimiseMendsWhole(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "in.go": forgetful} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	n := analysis.NarrowTo(p, func(_ analysis.FindingKind, name string) bool { return name == "n" })
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addunlock.Operator})
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string][]mutate.Edit{}
	for _, e := range space.Edits() {
		forms[e.Form] = append(forms[e.Form], e)
	}
	if len(forms["defer"]) != 1 || len(forms["path"]) != 2 {
		t.Fatalf("edits %v, want one that defers and two of exits", forms)
	}
	j := &job{Validator: &Validator{o: Options{Space: space}}, mutant: &mutate.Mutant{Edits: forms["defer"]}}
	for _, p := range j.proposals() {
		if len(p.edits) == 1 && p.edits[0].Form == "path" {
			t.Errorf("%s is proposed", p.what)
		}
	}
	for _, tt := range []struct {
		edits []mutate.Edit
		want  bool
	}{
		{forms["defer"], true},
		{forms["path"], true},
		{forms["path"][:1], false},
	} {
		if got := j.whole(tt.edits, tt.edits[0]); got != tt.want {
			t.Errorf("%d edits of form %s are whole: %v, want %v", len(tt.edits), tt.edits[0].Form, got, tt.want)
		}
	}
}

const forgetful = `package p

import "sync"

var (
	mu sync.Mutex
	n  int
)

func Leave(k int) {
	mu.Lock()
	if n == k {
		return
	}
	if n > k {
		n = k
		return
	}
	n++
	mu.Unlock()
}
`

// What an optimisation would let out of the lock that guards it elsewhere is no gain.
func TestOptimisationObjectsToLostGuard(t *testing.T) {
	w := loadBank(t)
	guarded := w.edit(t, "guard", "(*Account).Deposit", "a.amount", 1)
	fix := w.mutant(t, guarded)
	var opened []mutate.Edit
	for _, text := range []string{"a.mu.Lock", "a.mu.Unlock"} {
		opened = append(opened, w.edit(t, "open", "(*Account).Balance", text, 0))
	}
	worse := w.mutant(t, append(opened, guarded)...)
	v := w.validator(t, &fakeRunner{}, nil)
	for _, test := range []struct {
		from, to *mutate.Mutant
		objects  bool
	}{{fix, worse, true}, {fix, fix, false}} {
		against, err := (&job{Validator: v, mutant: test.from}).newObjection(test.to)
		if err != nil || (against != "") != test.objects {
			t.Errorf("%q, error %v; an objection: %v", against, err, test.objects)
		}
	}
}
