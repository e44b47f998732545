package repair

import (
	"slices"
	"strings"
	"testing"

	"mendel/internal/operators"
	"mendel/internal/result"
	"mendel/mutate"
)

// Operators are left out by their names, and a name that there is not is an error.
func TestWithout(t *testing.T) {
	some, err := resolve(result.Wanted{Without: []string{"buffer", "guard"}}).operators()
	if err != nil || len(some) != len(operators.All())-2 {
		t.Fatalf("%d operators, %v", len(some), err)
	}
	if slices.ContainsFunc(some, func(o *mutate.Operator) bool { return o.Name == "buffer" || o.Name == "guard" }) {
		t.Error("an operator is there that was left out")
	}
	if _, err := resolve(result.Wanted{Without: []string{"nosuch"}}).operators(); err == nil || !strings.Contains(err.Error(), `"nosuch"`) {
		t.Errorf("error %v", err)
	}
}
