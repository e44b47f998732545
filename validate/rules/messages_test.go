package rules

import (
	"strings"
	"testing"

	"mendel/checker"
	"mendel/checker/sched"
	"mendel/mutate"
)

// sent are messages to a channel made at line 9 of a.go.
func sent(element string, values ...string) (list []sched.Delivery) {
	for _, v := range values {
		list = append(list, sched.Delivery{Type: element, File: "/a.go", Line: 9, Value: v, Count: 1})
	}
	return list
}

func closedWith(element, value string, n int) []sched.Delivery {
	return []sched.Delivery{{Type: element, File: "/a.go", Line: 9, Value: value, Closed: true, Count: n}}
}

func TestLost(t *testing.T) {
	p := load(t, "package p\n")
	for _, test := range []struct {
		name      string
		want, got []sched.Delivery
		lost      string // "" if nothing is
	}{
		{"all there", sent("int", "1", "2"), sent("int", "2", "1"), ""},
		{"more than before", sent("int", "1"), sent("int", "1", "1", "3"), ""},
		{"one is missing", sent("int", "1", "2"), sent("int", "1"), "channel of int made here, 2, is not received"},
		{"one of two equal ones is missing", sent("int", "1", "1"), sent("int", "1"), "channel of int made here, 1, is not received"},
		{"another value came", sent("int", "1"), sent("int", "5"), ""},
		{"nothing was sent", nil, nil, ""},
		{"a close instead of signals", sent("struct {}", "{}", "{}"), closedWith("struct {}", "{}", 2), ""},
		{"a close that is received too rarely", sent("struct {}", "{}", "{}"), closedWith("struct {}", "{}", 1), "channel of struct {} made here is not received"},
		{"a close instead of the zero value", sent("error", "nil"), closedWith("error", "nil", 1), ""},
		{"a close instead of another value", sent("error", "E"), closedWith("error", "nil", 4), "channel of error made here, E, is not received"},
		{"what a closed channel gave is not needed", closedWith("int", "0", 3), nil, ""},
		{"another type", sent("int", "1"), sent("bool", "1"), "channel of int"},
	} {
		b := guided{p, &mutate.Mutant{}}.lost(test.want, test.got)
		switch {
		case b == nil && test.lost == "":
		case b == nil || test.lost == "" || !strings.Contains(b.What, test.lost) || b.Line != 9 || b.Rule != DroppedMessage:
			t.Errorf("%s: %+v, want %q", test.name, b, test.lost)
		}
	}
}

// A program that drops signals itself has some left over.
func TestLostSignals(t *testing.T) {
	for text, polled := range map[string]bool{
		"select { case c <- struct{}{}: default: }":                  true,
		"select { case c <- struct{}{}: default: }; c <- struct{}{}": false,
		"select { case c <- struct{}{}: case <-d: }":                 false,
		"select { case c <- struct{}{}: default: }; e <- 1":          true,
		"c = nil": false,
	} {
		p := load(t, "package p\n\nvar (\n\tc, d chan struct{}\n\te chan int\n)\n\nfunc f() { "+text+" }\n")
		if got := onlyPolled(p); got != polled {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// Who rewrites a program may make a channel elsewhere; a search may not.
func TestLostToAnotherChannel(t *testing.T) {
	p := load(t, "package p\n")
	patch := &mutate.Mutant{Edits: []mutate.Edit{{Operator: mutate.GivenOperator}}}
	elsewhere := func(element string, values ...string) []sched.Delivery {
		list := sent(element, values...)
		for i := range list {
			list[i].Line = 20
		}
		return list
	}
	for _, test := range []struct {
		name string
		m    *mutate.Mutant
		got  []sched.Delivery
		lost bool
	}{
		{"a patch", patch, elsewhere("int", "1", "2"), false},
		{"too few", patch, elsewhere("int", "1"), true},
		{"another type", patch, elsewhere("bool", "true", "true"), true},
		{"a mutant", &mutate.Mutant{}, elsewhere("int", "1", "2"), true},
	} {
		if b := (guided{p, test.m}).lost(sent("int", "1", "2"), test.got); (b != nil) != test.lost {
			t.Errorf("%s: %+v, want lost %t", test.name, b, test.lost)
		}
	}
}

// A message is dropped if no way of leading the mutant along a schedule
// delivers it, or none in which its new default cases were taken.
func TestDropped(t *testing.T) {
	p := load(t, "package p\n")
	along := func(choices string, way, declined int, messages []sched.Delivery) checker.Delivered {
		d := checker.Delivered{Schedule: checker.Schedule{Test: "T", Choices: choices}, Declined: declined, Messages: messages}
		for range way {
			d.Way++
		}
		return d
	}
	one, none := sent("int", "1"), sent("bool", "true")
	expected := []checker.Delivered{along("0", 0, 0, one), along("0 1", 0, 0, one)}
	for _, test := range []struct {
		name    string
		got     []checker.Delivered
		dropped string
	}{
		{"nothing compared", nil, ""},
		{"delivered in one way", []checker.Delivered{along("0", 0, 0, none), along("0", 1, 0, one)}, ""},
		{"delivered in no way", []checker.Delivered{along("0", 0, 0, none), along("0", 1, 0, none)}, "(1 compared)"},
		{"lost along one of two", []checker.Delivered{along("0", 0, 0, one), along("0 1", 0, 0, none)}, "(2 compared)"},
		{"lost where it declines", []checker.Delivered{along("0", 0, 0, one), along("0", 2, 1, none), along("0", 3, 1, none)}, "(1 compared)"},
		{"delivered where it declines", []checker.Delivered{along("0", 0, 0, one), along("0", 2, 1, none), along("0", 3, 2, one)}, ""},
		{"declined nothing", []checker.Delivered{along("0", 0, 0, one), along("0", 2, 0, none)}, ""},
	} {
		b := Dropped(p, &mutate.Mutant{}, expected, test.got)
		if (b != nil) != (test.dropped != "") || b != nil && !strings.HasSuffix(b.What, test.dropped) {
			t.Errorf("%s: %+v, want %q", test.name, b, test.dropped)
		}
	}
}
