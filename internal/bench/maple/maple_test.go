package maple

import (
	"testing"

	"mendel/internal/bench/exposure"
	"mendel/internal/bench/programs"
)

// The archive lists the paper's 13 bugs, and has a program with a test for each.
func TestArchive(t *testing.T) {
	all, err := list(archive)
	if err != nil || len(all) != 13 {
		t.Fatalf("%d programs, %v", len(all), err)
	}
	if p := all[4]; p != (program{"logmiss", "MySQL-LogMiss", 4, 8, 100}) {
		t.Errorf("%+v", p)
	}
	if err := programs.Unpack(t.TempDir(), archive); err != nil {
		t.Error(err)
	}
	if _, err := list([]byte("a: b c\n")); err == nil {
		t.Error("a line without numbers is taken")
	}
}

// A patch has to be validated in half the runs, and to withstand those that nobody saw.
func TestRepairs(t *testing.T) {
	with := func(noised, reproduced int, patch, refuted string) *programRepair {
		return &programRepair{Patch: patch, Noised: noised, Reproduced: reproduced, Refuted: refuted}
	}
	for _, c := range []struct {
		forced, plain *programRepair
		want          int
	}{
		{with(50, 25, "p", ""), with(150, 0, "p", ""), 0},
		{with(50, 26, "p", ""), with(150, 0, "p", ""), 1},
		{with(50, 25, "p", "run 7 failed"), with(150, 0, "p", ""), 1},
		{with(0, 0, "", ""), with(150, 0, "p", ""), 1},
		{with(50, 0, "p", ""), with(0, 0, "", ""), 0},
		{with(0, 0, "", ""), with(0, 0, "", ""), 0},
	} {
		if got := (&repairs{Programs: []*repaired{{Name: "p", Forced: c.forced, Plain: c.plain}}}).Failures(); len(got) != c.want {
			t.Errorf("%+v, %+v: %q", c.forced, c.plain, got)
		}
	}
}

// What is not exposed, or not within the paper's runs, does not meet the criteria.
func TestFailures(t *testing.T) {
	at := func(n ...int) (list exposure.Tries) {
		for _, n := range n {
			list = append(list, exposure.Try{Runs: n, Idiom: 1})
		}
		return list
	}
	p := program{Name: "p", Profile: 3, Forced: 4}
	for _, c := range []struct {
		o    outcome
		want int
	}{
		{outcome{program: p, Maple: at(7, 9, 2), done: true}, 0},
		{outcome{program: p, Maple: at(8, 9, 2), done: true}, 1},
		{outcome{program: p, Maple: at(0, 0, 2), done: true}, 1},
		{outcome{program: p, Maple: at(7), Plain: 10, PlainFailed: 7, done: true}, 1},
		{outcome{program: p, Maple: at(7)}, 1},
	} {
		if got := (&report{Programs: []*outcome{&c.o}}).Failures(); len(got) != c.want {
			t.Errorf("%+v: %q", c.o.Maple, got)
		}
	}
}
