package callers

import (
	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
)

// tables are what this package keeps of each model.
var tables = locks.NewTable(func() *table {
	return &table{
		above:     make(map[query]bool),
		lockNames: make(map[lockName]int32),
		entered:   make(map[entryKey]Entry),
	}
})

// A table is what is known of the callers of functions.
type table struct {
	above     map[query]bool // answers, see inquiry
	lockNames map[lockName]int32
	over      map[*program.Func]*Above // see AboveOf
	callers   *program.Components      // that over is found by
	entered   map[entryKey]Entry       // see EntryOf
}
