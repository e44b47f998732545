package sweep

import (
	"io"
	"strings"
	"testing"

	"mendel/internal/bench/enumeration"
	"mendel/mutate"
)

// Of a small package every operator's edits give mutants that type-check.
func TestSweep(t *testing.T) {
	for _, path := range []string{"container/list", "expvar"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			o := Options{Edits: 60, Seed: 1}
			p, err := o.sweep(t.Context(), enumeration.Source{Name: path, Dir: "std", Package: path}, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			r := &report{Programs: []*program{p}}
			if failures := r.Failures(); len(failures) > 0 {
				t.Errorf("sweeping %s:\n%s", path, strings.Join(failures, "\n"))
			}
			refused := 0
			for _, n := range p.Refused {
				refused += n
			}
			if p.Built+refused != 60 || p.Built < 55 {
				t.Errorf("%d built and %d refused of 60: %v", p.Built, refused, p.Refused)
			}
		})
	}
}

// A panic and a mutant that does not type-check are failures, another refusal is none.
func TestFailures(t *testing.T) {
	p := newProgram("p")
	p.panicked(mutate.Panic{Operator: "lockbody", Doing: "Edits", File: "p.go", Func: "f"})
	p.refuse(mutate.Edit{Operator: "once", File: "p.go", Line: 3}, &mutate.Refusal{Reason: "does not type-check: p.go:3: undefined: x"})
	p.refuse(mutate.Edit{Operator: "once"}, &mutate.Refusal{Reason: "s.mu is locked where it is held already"})
	p.refuse(mutate.Edit{Operator: "once"}, &mutate.Refusal{Reason: "t.mu is locked where it is held already"})
	failures := (&report{Programs: []*program{p}}).Failures()
	if len(failures) != 2 || !strings.Contains(failures[0], "lockbody") || !strings.Contains(failures[1], "undefined: x") {
		t.Errorf("failures %q", failures)
	}
	if len(p.Refused) != 1 || p.Refused["once: … is locked where it is held already"] != 2 {
		t.Errorf("refused %v", p.Refused)
	}
}

// The digest of a program's edits is the same each time, and that of others is another one.
func TestDigests(t *testing.T) {
	digest := func(only string) string {
		var out strings.Builder
		o := Options{Only: []string{only}, Digests: true, Static: true, Seed: 1, Subjects: "../../../subjects"}
		if err := Run(t.Context(), o, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first := digest("turnstile")
	if !strings.HasPrefix(first, "turnstile: ") || first != digest("turnstile") {
		t.Errorf("digest %q and %q", first, digest("turnstile"))
	}
	cut := func(s string) string { return s[strings.LastIndex(s, " "):] }
	if other := digest("tsp"); cut(other) == cut(first) {
		t.Errorf("the digest of another program is the same: %q", other)
	}
}
