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
	ps.add("a", note("a"))
	ps.add("a/b", note("a/b"))
	for range 2 {
		if err := ps.reset(); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"a", "a/b", "a", "a/b"}; !slices.Equal(order, want) {
		t.Errorf("got %q, want %q", order, want)
	}
}

func TestResetPanics(t *testing.T) {
	var ps packages
	called := false
	ps.add("a", func() {})
	ps.add("sql", func() { panic("sql: Register called twice") })
	ps.add("c", func() { called = true })
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
	Register("state", func() { counter = 7 })
	counter = 8
	if err := Reset(); err != nil || counter != 7 {
		t.Errorf("%v, %d", err, counter)
	}
}
