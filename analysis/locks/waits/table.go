package waits

import (
	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
)

// tables are what this package keeps of each model.
var tables = locks.NewTable(func() *table {
	return &table{
		pauses:       make(map[*program.Func][]Pause),
		comesToPause: make(map[*program.Func]map[string]Pause),
	}
})

// A table is the pauses that are known.
type table struct {
	pauses       map[*program.Func][]Pause          // of its own text
	comesToPause map[*program.Func]map[string]Pause // see pausesOf
}
