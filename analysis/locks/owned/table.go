package owned

import (
	"go/token"
	"go/types"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
)

// tables are what this package keeps of each model.
var tables = locks.NewTable(func() *table {
	return &table{
		copies:  make(map[types.Object]bool),
		givenTo: make(map[givenQuestion]bool),
		known:   make(map[types.Object]token.Pos),
		sharing: make(map[types.Object]bool),
		usedAs:  make(map[*program.Func]types.Type),
	}
})

// A table is what is known of values and of who has them.
type table struct {
	copies  map[types.Object]bool        // see Copied
	givenTo map[givenQuestion]bool       // see givenOwned
	known   map[types.Object]token.Pos   // see published
	sharing map[types.Object]bool        // see shares
	usedAs  map[*program.Func]types.Type // see typeUsed
}
