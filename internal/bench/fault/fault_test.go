package fault

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/internal/bench/subject"
)

// The corrected copy of each of CORE's subjects tells where the fault is.
func TestCorrected(t *testing.T) {
	all, err := subject.Read("../../../subjects", nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]map[string][]int{}
	for _, s := range subject.InSet(all, subject.CoreSet) {
		if got[s.Name], err = Lines(s.Dir, s.Corrected()); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if lines := got["account"]["account.go"]; !slices.Equal(lines, []int{53, 54}) {
		t.Errorf("account: %v, want the payment to the receiver and the unlock after it", lines)
	}
	if lines := got["buffer"]["buffer.go"]; !slices.Equal(lines, []int{41, 55}) {
		t.Errorf("buffer: %v, want both signals", lines)
	}
	if lines := got["pingpong"]["pingpong.go"]; !slices.Contains(lines, 74) {
		t.Errorf("pingpong: %v, want the body of the method that gets a lock", lines)
	}
}

// Where something is left out, the statements on both sides are the fault, and what
// encloses them at the end of a list.
func TestLeftOut(t *testing.T) {
	const whole = `package p

func (s *S) run() {
	s.first()
	// It is over.
	s.wg.Done()

	s.last()
}
`
	for _, c := range []struct {
		name, faulty string
		want         []int
	}{
		{"a call", "package p\n\nfunc (s *S) run() {\n\ts.first()\n\t// It is over.\n\n\ts.last()\n}\n", []int{4, 7}},
		{"a pointer", "package p\n\nfunc (s S) run() {\n\ts.first()\n\t// It is over.\n\ts.wg.Done()\n\n\ts.last()\n}\n", []int{3}},
		{"the last call", "package p\n\nfunc (s *S) run() {\n\ts.first()\n\t// It is over.\n\ts.wg.Done()\n\n}\n", []int{3, 6}},
		{"nothing", whole, nil},
	} {
		faulty, fixed := t.TempDir(), t.TempDir()
		for dir, text := range map[string]string{faulty: c.faulty, fixed: whole} {
			if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		lines, err := Lines(faulty, fixed)
		if (err != nil) != (c.want == nil) || !slices.Equal(lines["p.go"], c.want) {
			t.Errorf("%s: lines %v, %v, want %v", c.name, lines, err, c.want)
		}
	}
}

// What lost its lock, its once or its unlock is the section.
func TestSection(t *testing.T) {
	const whole = "package p\n\nfunc (s *S) run() {\n\ts.first()\n\ts.mu.Lock()\n\ts.n++\n\ts.mu.Unlock()\n\ts.once.Do(func() {\n\t\ts.made()\n\t})\n\ts.last()\n}\n"
	for gone, c := range map[string]struct {
		instead string
		want    []int
	}{
		"\ts.mu.Unlock()\n":                      {"", []int{5, 6}},
		"s.once.Do(func() {\n\t\ts.made()\n\t})": {"func() {\n\t\ts.made()\n\t}()", []int{8, 9, 10}},
		"\ts.mu.Lock()\n\ts.n++\n":               {"\ts.n++\n\ts.mu.Lock()\n", []int{5}},
	} {
		faulty, fixed := t.TempDir(), t.TempDir()
		for dir, text := range map[string]string{faulty: strings.Replace(whole, gone, c.instead, 1), fixed: whole} {
			if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if lines, err := Lines(faulty, fixed); err != nil || !slices.Equal(lines["p.go"], c.want) {
			t.Errorf("without %q: lines %v, %v, want %v", gone, lines, err, c.want)
		}
	}
}
