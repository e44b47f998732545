package validate

import (
	"errors"
	"strings"
	"testing"

	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
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
			r.Verdict, r.Reason, r.Spun = explore.Inconclusive, "a goroutine went on", 3
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
