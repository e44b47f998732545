package changes

import (
	"mendel/analysis/locks"
)

// tables are what this package keeps of each model.
var tables = locks.NewTable(func() *table {
	return &table{}
})

// A table is what comparisons remember of a program.
type table struct {
	atomically map[string]bool // see changedAtomically
}
