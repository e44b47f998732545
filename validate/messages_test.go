package validate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/mutate"
	"mendel/validate/rules"
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
	w := loadBank(t)
	v := w.validator(t, &fakeRunner{}, nil)
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
		b := v.lost(&mutate.Mutant{}, test.want, test.got)
		switch {
		case b == nil && test.lost == "":
		case b == nil || test.lost == "" || !strings.Contains(b.What, test.lost) || b.Line != 9 || b.Rule != rules.DroppedMessage:
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
		dir := t.TempDir()
		source := "package p\n\nvar (\n\tc, d chan struct{}\n\te chan int\n)\n\nfunc f() { " + text + " }\n"
		for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": source} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p, err := analysis.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
		if err != nil {
			t.Fatal(err)
		}
		if got := onlyPolled(p); got != polled {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// Who rewrites a program may make a channel elsewhere; a search may not.
func TestLostToAnotherChannel(t *testing.T) {
	w := loadBank(t)
	v := w.validator(t, &fakeRunner{}, nil)
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
		if b := v.lost(test.m, sent("int", "1", "2"), test.got); (b != nil) != test.lost {
			t.Errorf("%s: %+v, want lost %t", test.name, b, test.lost)
		}
	}
}

// A message is dropped if no way of leading the mutant along a schedule
// delivers it, or none in which its new default cases were taken.
func TestDropped(t *testing.T) {
	w := loadBank(t)
	v := w.validator(t, &fakeRunner{}, nil)
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
		b := v.dropped(&mutate.Mutant{}, expected, test.got)
		if (b != nil) != (test.dropped != "") || b != nil && !strings.HasSuffix(b.What, test.dropped) {
			t.Errorf("%s: %+v, want %q", test.name, b, test.dropped)
		}
	}
}

// delivering is what the checker says of the original: it delivers one message.
func delivering() *checker.Report {
	return &checker.Report{Delivered: []checker.Delivered{{
		Schedule: checker.Schedule{Test: "TestDeposit", Choices: "0"}, Messages: sent("int", "7"),
	}}}
}

func fate(t *testing.T, v *Validator, m *mutate.Mutant) *Rejected {
	t.Helper()
	_, err := v.Validate(t.Context(), m, byChecker)
	var rejected *Rejected
	if err != nil && !errors.As(err, &rejected) {
		t.Fatal(err)
	}
	return rejected
}

func TestFixMustDeliver(t *testing.T) {
	w := loadBank(t)
	for _, test := range []struct {
		name     string
		edit     mutate.Edit
		compared bool
		messages []sched.Delivery
		rule     rules.Name
	}{
		{"delivers", w.edit(t, "open", "(*Account).Notify", "notices", 0), true, sent("int", "7"), ""},
		{"drops", w.edit(t, "open", "(*Account).Notify", "notices", 0), true, nil, rules.DroppedMessage},
		{"does not communicate", w.edit(t, "guard", "(*Account).Deposit", "amount", 1), false, nil, ""},
		{"only locks", w.edit(t, "guard", "(*Account).Notify", "amount", 1), false, nil, ""},
	} {
		c := &fakeChecker{fail: func(string, checker.Search) bool { return false }}
		c.tell = func(s checker.Search, r *checker.Report) {
			for _, d := range s.Expect {
				d.Messages = test.messages
				r.Delivered = append(r.Delivered, d)
			}
		}
		v := w.checkedValidator(t, &fakeRunner{}, c, func(o *Options) {
			o.OptimizeSteps, o.Original = -1, delivering()
		})
		rejected := fate(t, v, w.mutant(t, test.edit))
		var rule rules.Name
		if rejected != nil && rejected.Breach != nil {
			rule = rejected.Breach.Rule
		}
		if rule != test.rule || rejected != nil && rejected.Stage != StageCheck {
			t.Errorf("%s: %v", test.name, rejected)
		}
		for _, s := range c.searches {
			if (len(s.Expect) > 0) != test.compared || s.Decline {
				t.Errorf("%s: the search expects %v, decline %t", test.name, s.Expect, s.Decline)
			}
		}
	}
}

// A goroutine that spins is the mutant's fault unless the original's spin, too.
func TestSpinningMutants(t *testing.T) {
	w := loadBank(t)
	locks := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	works := w.edit(t, "repeat", "(*Account).Twice", "trace", 0)
	for _, tt := range []struct {
		name   string
		before int
		edit   mutate.Edit
		spins  bool
	}{
		{"the mutant alone", 0, works, true},
		{"the original, too", 2, works, false},
		{"a mutant that only locks", 0, locks, false},
	} {
		c := &fakeChecker{fail: func(string, checker.Search) bool { return false }}
		c.tell = func(_ checker.Search, r *checker.Report) {
			r.Verdict, r.Reason, r.Spun = sched.Inconclusive, "a goroutine went on", 3
		}
		v := w.checkedValidator(t, &fakeRunner{}, c, func(o *Options) {
			o.OptimizeSteps, o.Original = -1, &checker.Report{Spun: tt.before}
		})
		rejected := fate(t, v, w.mutant(t, tt.edit))
		if !tt.spins && rejected != nil {
			t.Errorf("%s: %v", tt.name, rejected)
		}
		if tt.spins && (rejected == nil || rejected.Breach == nil || rejected.Breach.Rule != rules.Spin || rejected.Breach.Line != tt.edit.Line) {
			t.Errorf("%s: %v", tt.name, rejected)
		}
	}
}

// What breaks a rule is rejected before anything is built; edits that break
// none by themselves are saved.
func TestPolicyKeepsRules(t *testing.T) {
	w := loadBank(t)
	lock := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	gone := w.edit(t, "erase", "(*Account).Mark", "a.last = n", 0)
	runner := &fakeRunner{fail: unlockedDeposit}
	v := w.validator(t, runner, nil)
	rejected := fate(t, v, w.mutant(t, gone))
	if rejected == nil || rejected.Stage != StagePolicy || rejected.Breach == nil || rejected.Breach.Rule != rules.DeletedWork ||
		rejected.Breach.File != "bank.go" || rejected.Breach.Line != gone.Line || len(runner.series) != 0 {
		t.Errorf("%v, after %d series of runs", rejected, len(runner.series))
	}
	fix, err := v.Validate(t.Context(), w.mutant(t, lock, gone), byChecker)
	if err != nil || len(fix.Mutant.Edits) != 1 || !mutate.Has(fix.Mutant.Edits, lock) {
		t.Errorf("with a harmless edit: %+v, %v", fix, err)
	}
	// Nor does a step of reducing a fix.
	src := string(fix.Mutant.Files[w.program.File("bank.go").Name])
	if !strings.Contains(body(src, "Mark"), "a.last = n") {
		t.Errorf("work is gone:%s", body(src, "Mark"))
	}
}
