package maple

import (
	"testing"
)

// The archive lists the paper's 13 bugs, and has a program with a test for each.
func TestArchive(t *testing.T) {
	programs, err := list(archive)
	if err != nil || len(programs) != 13 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	if p := programs[4]; p != (program{"logmiss", "MySQL-LogMiss", 4, 8, 100}) {
		t.Errorf("%+v", p)
	}
	if err := unpack(t.TempDir(), archive); err != nil {
		t.Error(err)
	}
	if _, err := list([]byte("a: b c\n")); err == nil {
		t.Error("a line without numbers is taken")
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		runs []int
		want int
		text string
	}{
		{nil, 0, "- (0 of 0)"},
		{[]int{3, 1, 2}, 2, "2 (3 of 3)"},
		{[]int{0, 4, 0}, 0, "- (1 of 3)"},
		{[]int{0, 4, 5}, 5, "5 (2 of 3)"},
	} {
		var list []attempt
		for _, n := range c.runs {
			list = append(list, attempt{Runs: n})
		}
		if got := median(list); got != c.want || words(list) != c.text {
			t.Errorf("%v: %d, %q; want %d, %q", c.runs, got, words(list), c.want, c.text)
		}
	}
}

func TestSeconds(t *testing.T) {
	if got := seconds([]attempt{{Seconds: 3}, {Seconds: 1}, {Seconds: 2}}); got != 2 || seconds(nil) != 0 {
		t.Errorf("%v", got)
	}
}

// What is not exposed, or not within the paper's runs, does not meet the criteria.
func TestFailures(t *testing.T) {
	at := func(n ...int) (list []attempt) {
		for _, n := range n {
			list = append(list, attempt{Runs: n, Idiom: 1})
		}
		return list
	}
	p := program{Name: "p", Profile: 3, Forced: 4}
	for _, c := range []struct {
		o    outcome
		want int
	}{
		{outcome{program: p, Cover: at(7, 9, 2), done: true}, 0},
		{outcome{program: p, Cover: at(8, 9, 2), done: true}, 1},
		{outcome{program: p, Cover: at(0, 0, 2), done: true}, 1},
		{outcome{program: p, Cover: at(7), Plain: 10, PlainFailed: 1, done: true}, 1},
		{outcome{program: p, Cover: at(7)}, 1},
	} {
		if got := (&report{Programs: []*outcome{&c.o}}).Failures(); len(got) != c.want {
			t.Errorf("%+v: %q", c.o.Cover, got)
		}
	}
	if got := idioms([]attempt{{Runs: 1}, {Runs: 2, Idiom: 5}, {}}); got != "none: 1 5: 1 " {
		t.Errorf("%q", got)
	}
}
