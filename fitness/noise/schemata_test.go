package noise

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"mendel/internal/rewrite/schema"
	"mendel/internal/sample"
)

// loaded is a harness for the zoo as the analysis loads it, with types and build flags.
func loaded(t *testing.T, flags ...string) *Harness {
	t.Helper()
	archive := readArchive(t, "zoo.txtar")
	archive.Files = append(archive.Files, txtar.File{Name: "plain.go", Data: []byte("package zoo\n\nfunc Plain() int {\n\treturn 1\n}\n")})
	return byTypes(t, archive, flags, Config{}, "Account.amount")
}

// zooMutants are replacements in files of the zoo: several lines more, a field, a changed
// goroutine, imports and a variable, a variant that the compiler alone refuses, one that
// does not type-check, and one that is no Go.
var zooMutants = []struct{ file, old, new string }{
	{"zoo.go", "\tto.amount += n // racy\n\ta.mu.Unlock()\n", "\ta.mu.Unlock()\n\tto.mu.Lock()\n\tto.amount += n\n\tto.mu.Unlock()\n"},
	{"zoo.go", "\tamount int\n}\n", "\tamount int\n\n\tsince int\n}\n"},
	{"zoo_test.go", "\t\tvar a *Account\n", "\t\tfunc() {}()\n\t\tvar a *Account\n"},
	{"zoo_test.go", "\tgo func() {\n\t\tc <- 1 // leaks\n\t}()\n", "\tgo func() {}()\n\n\tgo func() {\n\t\tc <- 1 // leaks\n\t}()\n"},
	{"plain.go", "package zoo\n\nfunc Plain() int {\n", "package zoo\n\nimport \"sync\"\n\nvar plain sync.Mutex\n\nfunc Plain() int {\n\tplain.Lock()\n\tdefer plain.Unlock()\n"},
	{"plain.go", "package zoo\n\nfunc Plain() int {\n", "package zoo\n\nimport \"sync\"\n\nfunc Plain() int {\n\tvar own sync.Mutex\n\town.Lock()\n\tdefer own.Unlock()\n"},
	{"plain.go", "package zoo\n\nfunc Plain() int {\n", "package zoo\n\nfunc Plain() int {\n\t//go:noinline\n\tvar n int\n\t_ = n\n"},
	{"zoo.go", "\ta.amount += n\n}\n", "\ta.amount += \"n\"\n}\n"},
	{"zoo.go", "func (a *Account) Transfer", "func ((a *Account) Transfer"},
}

// fitting are those of them that go together.
const fitting = 6

// Mutants in one executable do what they do alone, in the same words.
func TestBuildAll(t *testing.T) {
	h := loaded(t)
	var sets []map[string][]byte
	for _, m := range zooMutants {
		name := filepath.Join(h.c.Program.Module, m.file)
		source := h.source.files[name].Source
		if !bytes.Contains(source, []byte(m.old)) {
			t.Fatalf("%s has no %q", m.file, m.old)
		}
		sets = append(sets, map[string][]byte{name: bytes.Replace(source, []byte(m.old), []byte(m.new), 1)})
	}
	built, err := h.BuildAll(t.Context(), sets)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range built {
		if fits := i < fitting; fits != (b != nil) {
			t.Fatalf("mutant %d: built %v", i, b != nil)
		}
	}
	if builds, _ := h.Counts(); builds != 2 {
		t.Errorf("%d builds, want one that a variant spoils, and one without it", builds)
	}
	for _, i := range sample.Of(1, []int{3, 0, 1, 2, 4, 5}) { // all that fit, first of all one in a test
		b := built[i]
		alone := build(t, h, Noised, sets[i])
		for _, test := range []string{"TestPass", "TestRace", "TestDeadlock", "TestLeakSend", "TestFail", "TestPanic"} {
			if got, want := outcome(t, h, b, test), outcome(t, h, alone, test); got != want {
				t.Errorf("mutant %d, %s: %s\nalone: %s", i, test, got, want)
			}
		}
	}
	closeAll(t, built[:fitting])

	// A mutant that combines variants of several needs no build; one with a new text does.
	before, _ := h.Counts()
	both := map[string][]byte{}
	maps.Copy(both, sets[1]) // the field is there, too
	maps.Copy(both, sets[3])
	maps.Copy(both, sets[4])
	again, err := h.BuildAll(t.Context(), []map[string][]byte{both, sets[0]})
	if err != nil {
		t.Fatal(err)
	}
	if builds, _ := h.Counts(); builds != before || again[0] == nil || again[1] == nil {
		t.Fatalf("%d builds for what is there", builds-before)
	}
	alone := build(t, h, Noised, both)
	for _, test := range []string{"TestPass", "TestRace", "TestDeadlock", "TestLeakSend", "TestFail", "TestPanic"} {
		if got, want := outcome(t, h, again[0], test), outcome(t, h, alone, test); got != want {
			t.Errorf("combined, %s: %s\nalone: %s", test, got, want)
		}
	}
	closeAll(t, again)
	name := filepath.Join(h.c.Program.Module, "plain.go")
	text := map[string][]byte{name: bytes.Replace(h.source.files[name].Source, []byte("return 1"), []byte("return 1 + 0"), 1)}
	if p := h.source.program(text); h.combined(p) != nil {
		t.Error("a text that no variant has is found")
	}
}

// Mutants that change a type alike share an executable, and do what they do alone.
func TestChangedTypes(t *testing.T) {
	h := loaded(t)
	name := filepath.Join(h.c.Program.Module, "zoo.go")
	set := func(changes ...string) map[string][]byte {
		text := string(h.source.files[name].Source)
		for i := 0; i < len(changes); i += 2 {
			if !strings.Contains(text, changes[i]) {
				t.Fatalf("no %q", changes[i])
			}
			text = strings.Replace(text, changes[i], changes[i+1], 1)
		}
		return map[string][]byte{name: []byte(text)}
	}
	locked := []string{"\tmu     sync.Mutex\n", "\tmu     sync.RWMutex\n"}
	both := append(locked, "\tto.amount += n // racy\n\ta.mu.Unlock()\n", "\ta.mu.Unlock()\n\n\tto.mu.Lock()\n\tto.amount += n\n\tto.mu.Unlock()\n")
	sets := []map[string][]byte{set(locked...), set(both...)}
	built, err := h.BuildAll(t.Context(), sets)
	if err != nil {
		t.Fatal(err)
	}
	if n := h.Builds(); n.Variants != 2 || n.By["noise, variants"] != 1 || n.Alone != nil {
		t.Fatalf("%+v: want one executable of both", n)
	}
	for _, i := range sample.Of(1, []int{1, 0}) {
		b, alone := built[i], build(t, h, Noised, sets[i])
		for _, test := range []string{"TestPass", "TestRace", "TestDeadlock", "TestFail", "TestPanic"} {
			if got, want := outcome(t, h, b, test), outcome(t, h, alone, test); got != want {
				t.Errorf("mutant %d, %s: %s\nalone: %s", i, test, got, want)
			}
		}
	}
	closeAll(t, built)
}

// The oldest executables of schemata are removed when there are many, unless a binary of
// them is open.
func TestKeptSchemata(t *testing.T) {
	var h Harness
	var paths []string
	var open *Binary
	for i := range schema.MostKept + 2 {
		path := filepath.Join(t.TempDir(), "b.test")
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
		users := &atomic.Int64{}
		users.Add(1)
		if i == 1 {
			users.Add(1)
			open = &Binary{path: path, users: users}
		}
		if err := h.keep(&keptSchema{binary: &Binary{path: path, users: users}}); err != nil {
			t.Fatal(err)
		}
	}
	there := func(i int) bool { _, err := os.Stat(paths[i]); return err == nil }
	if there(0) || !there(1) || !there(2) || h.kept.Len() != schema.MostKept {
		t.Errorf("there: %v %v %v; %d kept", there(0), there(1), there(2), h.kept.Len())
	}
	if err := open.Close(); err != nil || there(1) {
		t.Errorf("still there: %v, %v", there(1), err)
	}
}

// outcome describes a quiet run by its failures.
func outcome(t *testing.T, h *Harness, b *Binary, test string) string {
	t.Helper()
	o, err := h.run(context.Background(), b, "^"+test+"$", RunOptions{Quiet: true, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range o.Failures {
		all = append(all, f.Signature) // which access a message names first is chance
	}
	return strings.Join(all, "; ")
}

// closeAll closes binaries that share a file, which stays for those that come after them.
func closeAll(t *testing.T, binaries []*Binary) {
	t.Helper()
	for _, b := range binaries {
		if _, err := os.Stat(b.Path()); err != nil {
			t.Errorf("before the last one is closed: %v", err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(binaries[0].Path()); err != nil {
		t.Error(err)
	}
}
