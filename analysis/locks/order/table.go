package order

import (
	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
)

// tables are what this package keeps of each model.
var tables = locks.NewTable(func() *table {
	return &table{
		taking:  make(map[*program.Func]map[string]bool),
		nesting: make(map[*program.Func]nestings),
		nests:   make(map[order]bool),
		under:   make(map[string]map[string][]*program.Func),
	}
})

// A table is what is known of the order of locks.
type table struct {
	taking  map[*program.Func]map[string]bool // see Takes
	edges   []Edge
	nesting map[*program.Func]nestings            // see nestingsOf
	nests   map[order]bool                        // see Nests
	under   map[string]map[string][]*program.Func // see takenUnder
}
