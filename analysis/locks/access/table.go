package access

import (
	"go/types"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
)

// tables are what this package keeps of each model.
var tables = locks.NewTable(func() *table {
	return &table{
		captured: make(map[*program.Func]map[*types.Var]bool),
		meeting:  make(map[*program.Func]*meetings),
	}
})

// A table is the uses that are known.
type table struct {
	captured map[*program.Func]map[*types.Var]bool // see sharedLocals
	allUses  []Use
	remade   []Use                       // see Replaced
	meeting  map[*program.Func]*meetings // see meetingsOf
}
