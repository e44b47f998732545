package splits

import (
	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/program"
)

// tables are what this package keeps of each model.
var tables = locks.NewTable(func() *table {
	return &table{
		steps:  make(map[*program.Func][]Step),
		usesBy: make(map[*program.Func][]access.Use),
	}
})

// A table is the steps and uses that are known.
type table struct {
	steps  map[*program.Func][]Step
	usesBy map[*program.Func][]access.Use // see UsesOf
}
