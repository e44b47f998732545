package repair

import (
	"slices"
	"strings"
	"testing"

	"mendel/internal/operators"
	"mendel/mutate"
)

// Operators are left out by their names, and a name that there is not is an error.
func TestWithout(t *testing.T) {
	some, err := operatorsWithout([]string{"buffer", "guard"})
	if err != nil || len(some) != len(operators.All())-2 {
		t.Fatalf("%d operators, %v", len(some), err)
	}
	if slices.ContainsFunc(some, func(o *mutate.Operator) bool { return o.Name == "buffer" || o.Name == "guard" }) {
		t.Error("an operator is there that was left out")
	}
	for name, want := range map[string]string{"nosuch": `"nosuch": there is none`, "lockbody": `"lockbody": it is a form of addlock now`} {
		if _, err := operatorsWithout([]string{name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
