package validate

import (
	"testing"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/validate/rules"
)

// A new lock of the package is shared by all values if it guards their fields, and only then.
func TestSharesLock(t *testing.T) {
	w := loadBox(t, "")
	for _, c := range []struct {
		kind, variable string
		want           bool
	}{
		{analysis.PackageLock, "Account.amount", true},
		{analysis.PackageLock, "total", false},
		{"field", "Account.amount", false},
	} {
		e := mutate.Edit{Vars: []string{c.variable}, Lock: &analysis.Lock{New: &analysis.NewLock{Kind: c.kind}}}
		if got := rules.SharesLock(w.narrowing, []mutate.Edit{e}); got != c.want {
			t.Errorf("a new lock, %s, for %s: shared %v, want %v", c.kind, c.variable, got, c.want)
		}
	}
	if rules.SharesLock(w.narrowing, []mutate.Edit{{Vars: []string{"Account.amount"}, Lock: &analysis.Lock{}}}) {
		t.Error("a lock that is there already is said to be new")
	}
}
