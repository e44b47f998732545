package unlockstatement

import (
	_ "embed"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator removes the lock around one statement.
var Operator = &mutate.Operator{
	Name:    "unlockstatement",
	Doc:     doc,
	CORE:    "RAV",
	Prior:   map[evidence.Kind]float64{evidence.Deadlock: 2, evidence.Blocked: 2, evidence.Race: 0.2},
	Shrinks: true,
	Edits:   edits,
	Apply:   mutate.RemoveSection,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		if !fits(fn, s) {
			continue
		}
		if e, ok := fn.Removal("unlockstatement", s); ok {
			out = append(out, e)
		}
	}
	return out
}

// fits reports whether the section covers one statement between a lock and an unlock.
func fits(_ *mutate.Function, s *mutate.Section) bool {
	return s.Final != nil && len(s.Body) == 1
}
