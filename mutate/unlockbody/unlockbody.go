package unlockbody

import (
	_ "embed"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator removes the lock around a whole function body.
var Operator = &mutate.Operator{
	Name:    "unlockbody",
	Doc:     doc,
	CORE:    "RSM",
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
		if e, ok := fn.Removal("unlockbody", s); ok {
			out = append(out, e)
		}
	}
	return out
}

// fits reports whether the section covers the whole body. Methods locked by
// their receiver with a deferred release are unlockmethod's, sections of one
// statement unlockstatement's.
func fits(fn *mutate.Function, s *mutate.Section) bool {
	method := s.Deferred && fn.ByReceiver(s)
	statement := s.Final != nil && len(s.Body) == 1
	return s.Whole && !method && !statement
}
