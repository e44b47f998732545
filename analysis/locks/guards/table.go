package guards

import (
	"go/ast"

	"mendel/analysis/locks"
)

// tables are what this package keeps of each model.
var tables = locks.NewTable(func() *table {
	return &table{
		atUse:    make(map[ast.Expr][]string),
		guarding: make(map[guardQuestion]Certainty),
	}
})

// A table is what is known to guard uses.
type table struct {
	atUse    map[ast.Expr][]string       // see LocksHeld
	guarding map[guardQuestion]Certainty // see At
}
