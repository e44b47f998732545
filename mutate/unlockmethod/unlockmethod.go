package unlockmethod

import (
	_ "embed"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator removes the receiver's lock from a whole method.
var Operator = &mutate.Operator{
	Name:    "unlockmethod",
	Doc:     doc,
	CORE:    "RSIM",
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
		if e, ok := fn.Removal("unlockmethod", s); ok {
			out = append(out, e)
		}
	}
	return out
}

// fits reports whether the section is what a synchronized method is in Java: the
// receiver locks itself first and releases when the method returns.
func fits(fn *mutate.Function, s *mutate.Section) bool {
	return s.Whole && s.Deferred && fn.ByReceiver(s)
}
