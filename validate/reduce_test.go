package validate

import (
	"testing"

	"mendel/analysis"
	"mendel/mutate"
)

// What the source shows to be wrong stays mended beside the like of it, and only beside that.
func TestSureEditsStayTogether(t *testing.T) {
	edit := func(operator, lock string, sure bool, node int) mutate.Edit {
		return mutate.Edit{Operator: operator, Node: node, Sure: sure, Lock: &analysis.Lock{Expr: "b.mu", Key: lock}}
	}
	gone := edit("addunlock", "p.Bin.mu", true, 1)
	grouped := edit("closeonce", "p.Bin.mu", true, 2)
	grouped.Group = "windows"
	for _, test := range []struct {
		what       string
		gone, stay mutate.Edit
		belongs    bool
	}{
		{"the same lock", gone, edit("addunlock", "p.Bin.mu", true, 2), true},
		{"another lock", gone, edit("addunlock", "p.Room.mu", true, 2), false},
		{"another operator", gone, edit("shrinkend", "p.Bin.mu", true, 2), false},
		{"nothing sure stays", gone, edit("addunlock", "p.Bin.mu", false, 2), false},
		{"nothing sure goes", edit("addunlock", "p.Bin.mu", false, 1), edit("addunlock", "p.Bin.mu", true, 2), false},
		{"both without a lock", mutate.Edit{Operator: "drain", Sure: true}, mutate.Edit{Operator: "drain", Sure: true, Node: 2}, true},
		{"no lock", mutate.Edit{Operator: "addunlock", Sure: true}, edit("addunlock", "p.Bin.mu", true, 2), false},
		{"a group", mutate.Edit{Operator: "closeonce", Sure: true, Group: "windows"}, grouped, true},
	} {
		if got := belongs([]mutate.Edit{test.gone}, []mutate.Edit{test.stay}); (got != nil) != test.belongs {
			t.Errorf("%s: %v", test.what, got)
		}
	}
}
