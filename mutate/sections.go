package mutate

import (
	"go/ast"

	"mendel/analysis"
)

// A Section is a critical section of one function in the original source.
type Section struct {
	Lock        analysis.Lock
	Read        bool       // RLock/RUnlock
	Acquire     ast.Stmt   // the statement lock.Lock()
	Releases    []ast.Stmt // every release: unlock statements on all paths, or the one deferred
	Deferred    bool       // released by defer: it ends with the function
	List        []ast.Stmt // the statement list that holds Acquire
	First, Last int        // the statements List[First..Last] are inside; Last < First: an empty section
	Body        []ast.Stmt // List[First:Last+1]
	Whole       bool       // covers the whole function body
}

// Sections recognises the function's critical sections, outer before inner.
func (fn *Function) Sections() []*Section { panic("contract") }
