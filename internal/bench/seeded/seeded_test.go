package seeded

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel"
	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/trial"
)

// Packages take turns, in each those operators first that were used least, and no
// more variants are chosen than are wanted.
func TestChoose(t *testing.T) {
	l := &library{Packages: []seededPackage{{Package: "a"}, {Package: "none"}, {Package: "b"}}}
	for i := range 5 {
		l.Packages[0].Found = append(l.Packages[0].Found, &variant{Package: "a", Operator: "dropclose", Line: i})
	}
	l.Packages[2].Found = []*variant{{Package: "b", Operator: "dropclose"}, {Package: "b", Operator: "dropwait"}}
	l.choose(4, 1)
	var got []string
	for _, v := range l.Variants {
		got = append(got, v.Package+" "+v.Operator)
	}
	if want := "a dropclose, b dropwait, a dropclose, b dropclose"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	l.choose(100, 1)
	if len(l.Variants) != 7 {
		t.Errorf("%d variants, want all 7", len(l.Variants))
	}
}

// What one library cannot give is taken from the others.
func TestChooseFromOthers(t *testing.T) {
	r := &report{}
	for _, has := range []int{9, 2, 4} {
		l := &library{Packages: []seededPackage{{}}}
		for i := range has {
			l.Packages[0].Found = append(l.Packages[0].Found, &variant{Line: i})
		}
		r.Libraries = append(r.Libraries, l)
	}
	r.choose(4, 1)
	var got []int
	for _, l := range r.Libraries {
		got = append(got, len(l.Variants))
	}
	if want := []int{6, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("%d variants of the libraries, want %d", got, want)
	}
}

// Comments and layout make no difference, a token does.
func TestSameTokens(t *testing.T) {
	dir := t.TempDir()
	file := func(text string) string {
		name := filepath.Join(dir, fmt.Sprint(len(text)))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	a := file("package p\n\nfunc f() { g() }\n")
	for text, want := range map[string]bool{
		"package p\n\n// f calls g.\nfunc f() { /* here */ g() }\n": true,
		"package p\n\nfunc f() { g(); g() }\n":                      false,
	} {
		if same, err := sameTokens(a, file(text)); err != nil || same != want {
			t.Errorf("%q: %t, %v", text, same, err)
		}
	}
}

func TestOthers(t *testing.T) {
	dir := t.TempDir()
	text := "package p\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}\nfunc TestC(t *testing.T) {}\nfunc BenchmarkB(b *testing.B) {}\n"
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := others(dir, []string{"TestB"}); err != nil || got != "^(TestA|TestC)$" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := others(dir, []string{"TestA", "TestB", "TestC"}); err != nil || got != "" {
		t.Errorf("%s, %v", got, err)
	}
}

// Only a patch that nothing speaks against counts.
func TestReport(t *testing.T) {
	fixed := func() *trial.Trial {
		return &trial.Trial{Status: mendel.Fixed, Seconds: 4, Operators: []string{"lockbody"}}
	}
	r := &report{Limit: "1m0s", Effort: "9 noised runs", Seed: 1, Wanted: 4, Repair: true, Libraries: []*library{{
		Name:     "example.com/m@v1",
		Packages: []seededPackage{{Package: "p", Possible: 9, Noticed: 4, Missed: 2, Left: []string{"TestOld"}}},
		Variants: []*variant{
			{Operator: "dropsection", File: "p/a.go", Line: 1, Kind: evidence.Race, Trial: fixed(), Proof: &proof{Inverse: true}},
			{Operator: "dropclose", File: "p/a.go", Line: 2, Kind: evidence.Blocked, Trial: fixed(), Proof: &proof{Verdict: explore.Failed, Checked: "failed: x"}},
			{Operator: "dropwait", File: "p/a.go", Line: 3, Kind: evidence.Race, Trial: &trial.Trial{Status: mendel.NotFixed, Seconds: 60}},
			{Operator: "dropdone", File: "p/a.go", Line: 4, Kind: evidence.Deadlock},
		},
	}}}
	var b bytes.Buffer
	if err := r.Write(&b, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"TestOld", "no: failed: x", "no: not-fixed",
		"Of 4 variants 3 were tried: 2 repaired, 1 of them verified, in 4 s in the median. Exact inverses of the seeded fault: 1 of 1.",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &b)
		}
	}
	if f := r.Failures(); len(f) != 1 || !strings.Contains(f[0], "1 of 4 variants") {
		t.Errorf("failures %q", f)
	}
}
