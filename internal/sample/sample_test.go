package sample

import (
	"flag"
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	list := []int{0, 1, 2, 3, 4, 5, 6}
	for _, c := range []struct {
		value string
		n     int
		want  []int
	}{
		{"", 3, []int{0, 2, 4}},
		{"", 7, list},
		{"", 9, list},
		{"", 1, []int{0}},
		{"whole", 1, list},
	} {
		t.Setenv(Variable, c.value)
		if got := Of(c.n, list); !slices.Equal(got, c.want) {
			t.Errorf("%q, %d: %v, want %v", c.value, c.n, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for value, want := range map[string]int{"": 2, "whole": 9} {
		t.Setenv(Variable, value)
		if got := Count(2, 9); got != want {
			t.Errorf("%q: %d, want %d", value, got, want)
		}
	}
}

// A test that only the whole has runs when that is asked for, and not otherwise.
func TestWhole(t *testing.T) {
	for value, want := range map[string]bool{"": false, "whole": true} {
		t.Setenv(Variable, value)
		ran := false
		t.Run(value, func(t *testing.T) {
			Whole(t, "TestCount sees the same")
			ran = true
		})
		if ran != want {
			t.Errorf("%q: it ran: %v", value, ran)
		}
	}
}

// Who names a subtest has all of a test.
func TestNamed(t *testing.T) {
	run := flag.Lookup("test.run").Value
	before := run.String()
	defer run.Set(before)
	for name, want := range map[string]int{"": 1, "TestCorpus": 1, "TestCorpus/network": 5} {
		if err := run.Set(name); err != nil {
			t.Fatal(err)
		}
		if got := Count(1, 5); got != want {
			t.Errorf("-run %q: %d, want %d", name, got, want)
		}
	}
}

// Whoever misspells the value would not get what they ask for.
func TestMisspelt(t *testing.T) {
	t.Setenv(Variable, "hole")
	defer func() {
		if recover() == nil {
			t.Error("there was no panic")
		}
	}()
	Count(1, 2)
}
