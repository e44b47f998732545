package state

import (
	"slices"
	"strings"
	"testing"
)

func TestReset(t *testing.T) {
	var ps packages
	if err := ps.reset(); err != nil {
		t.Errorf("with no package: %v", err)
	}
	var order []string
	note := func(name string) func() { return func() { order = append(order, name) } }
	ps.add("", "a", note("a"), nil)
	ps.add("", "a/b", note("a/b"), nil)
	for range 2 {
		if err := ps.reset(); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"a", "a/b", "a", "a/b"}; !slices.Equal(order, want) {
		t.Errorf("got %q, want %q", order, want)
	}
}

// Of several clones one is reset, with the packages that all share, in order.
func TestChoose(t *testing.T) {
	var ps packages
	var order []string
	for _, p := range []struct{ clone, path string }{{"", "a"}, {"1", "b"}, {"2", "b"}, {"2", "c"}, {"", "d"}, {"1", "c"}} {
		ps.add(p.clone, p.path, func() { order = append(order, p.clone+p.path) }, nil)
	}
	for clone, want := range map[string][]string{"1": {"a", "1b", "d", "1c"}, "2": {"a", "2b", "2c", "d"}, "": {"a", "d"}} {
		order = nil
		if err := ps.of(clone).reset(); err != nil || !slices.Equal(order, want) {
			t.Errorf("of clone %q: %q, want %q (%v)", clone, order, want, err)
		}
	}
}

func TestResetPanics(t *testing.T) {
	var ps packages
	called := false
	ps.add("", "a", func() {}, nil)
	ps.add("", "sql", func() { panic("sql: Register called twice") }, nil)
	ps.add("", "c", func() { called = true }, nil)
	err := ps.reset()
	if err == nil || !strings.Contains(err.Error(), "package sql ") || !strings.Contains(err.Error(), "called twice") {
		t.Errorf("got %v", err)
	}
	if called {
		t.Error("it goes on with the next package")
	}
}

func TestZero(t *testing.T) {
	v := struct {
		n int
		s []string
	}{1, []string{"a"}}
	if Zero(&v); v.n != 0 || v.s != nil {
		t.Errorf("%+v", v)
	}
	var i any = 1
	if Zero(&i); i != nil {
		t.Error(i)
	}
}

var counter = 7

func TestRegister(t *testing.T) {
	Register("", "state", func() { counter = 7 })
	counter = 8
	if err := Reset(); err != nil || counter != 7 {
		t.Errorf("%v, %d", err, counter)
	}
}
