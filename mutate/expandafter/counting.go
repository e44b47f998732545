package expandafter

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/mutate"
	"mendel/mutate/internal/waitgroups"
)

// formCounted is the form of edits that count in the section that asks.
const formCounted = "counted"

// counting is the wait group to which a statement behind a section adds, if a function waits for that which has a section
// of the same lock: what was asked in the section, and the Add, belong together, or the wait comes in between. nil:
// it is none.
func counting(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) *types.Var {
	for _, c := range waitgroups.Calls(fn) {
		if c.Method != "Add" || c.At.Stmt != stmt || !c.Alone() {
			continue
		}
		if field := c.Field(fn); field != nil && slices.Contains(waitedUnder(fn, s.Lock.Key), field) {
			return field
		}
	}
	return nil
}

// waitedUnder are the wait groups in fields for which functions wait that have a section of a lock.
func waitedUnder(fn *mutate.Function, key string) []*types.Var {
	type waited struct{ key string }
	return mutate.Once(fn, waited{key}, func() (fields []*types.Var) {
		for _, of := range fn.OfProgram() {
			sections := of.Sections()
			if !slices.ContainsFunc(sections, func(s *mutate.Section) bool { return s.Lock.Key == key && !s.Read }) {
				continue
			}
			for _, c := range waitgroups.Calls(of) {
				if field := c.Field(of); c.Method == "Wait" && field != nil {
					fields = append(fields, field)
				}
			}
		}
		return fields
	})
}
