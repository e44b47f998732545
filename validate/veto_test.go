package validate

import (
	"strings"
	"testing"

	"mendel/mutate"
)

// What policy or a rule forbids is vetoed without a build; what may be a fix is not.
func TestVeto(t *testing.T) {
	w := loadBank(t)
	for _, test := range []struct {
		name        string
		edits       []mutate.Edit
		noSerialize bool
		want        string // part of the reason; "": none
	}{
		{"may be a fix", []mutate.Edit{w.edit(t, "guard", "(*Account).Deposit", "amount", 1)}, false, ""},
		{"serialises", []mutate.Edit{flagged(w.edit(t, "guard", "(*Account).Twice", "a.amount +=", 3), mutate.Serialises)}, true, "serialises"},
		{"may serialise", []mutate.Edit{flagged(w.edit(t, "guard", "(*Account).Twice", "a.amount +=", 3), mutate.Serialises)}, false, ""},
		{"drops a guard", []mutate.Edit{
			flagged(w.edit(t, "open", "(*Account).Balance", "Lock", 0), mutate.DropsGuard),
			flagged(w.edit(t, "open", "(*Account).Balance", "Unlock", 0), mutate.DropsGuard),
		}, false, "drops a lock"},
	} {
		runner := &fakeRunner{}
		r, err := w.validator(t, runner, func(o *Options) { o.NoSerialize = test.noSerialize }).Veto(w.mutant(t, test.edits...))
		if err != nil {
			t.Fatal(err)
		}
		if got := r != nil; got != (test.want != "") || got && (r.Stage != StagePolicy || !strings.Contains(r.Reason, test.want)) {
			t.Errorf("%s: %+v", test.name, r)
		}
		if len(runner.series) > 0 {
			t.Errorf("%s: %d series of runs", test.name, len(runner.series))
		}
	}
}
