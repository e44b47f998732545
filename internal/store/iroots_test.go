package store

import (
	"reflect"
	"testing"
)

// What is known of interleavings is replaced and forgotten by name, for each package.
func TestIRoots(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	a := IRoot{Idiom: 1, Ends: []byte(`["a"]`), Source: "s", Test: "TestA", Exposed: true, Tries: 1, Text: "a"}
	b := IRoot{Idiom: 5, Ends: []byte(`["b"]`), Source: "s", Test: "TestB", Tries: 2, Failed: "race", Seed: 1<<64 - 1, Late: true, Text: "b"}
	must(t, s.KeepIRoots("p", []IRoot{a, b}, nil))
	must(t, s.KeepIRoots("q", []IRoot{a}, nil))
	b.Failed, b.Tries = "", 3
	must(t, s.KeepIRoots("p", []IRoot{b}, []IRoot{a}))
	must(t, s.Close())
	s = opened(t, dir)
	for pkg, want := range map[string][]IRoot{"p": {b}, "q": {a}, "r": nil} {
		if got, err := s.IRoots(pkg); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", pkg, got, err, want)
		}
	}
}

// The table is made in a store that was written before there was one.
func TestIRootsInEarlierStore(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	if _, err := s.db.Exec("DROP TABLE iroots"); err != nil {
		t.Fatal(err)
	}
	must(t, s.Close())
	s = opened(t, dir)
	if known, err := s.IRoots("p"); err != nil || known != nil {
		t.Errorf("%v, %v", known, err)
	}
}
