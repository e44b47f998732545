package validate

import "mendel/mutate"

// Veto returns why a mutant can be no fix, decided by its source alone: policy or
// a static rule speaks against it; nil if it may be a fix. A part of it may be one
// all the same, and Validate looks for that. Veto builds nothing, and is safe to
// call while Validate runs. The error is for sources that cannot be compared.
func (v *Validator) Veto(m *mutate.Mutant) (*Rejected, error) {
	j := &job{Validator: v, covers: newCovers(v.o.Program, v.o.Narrowing, v.model)}
	return j.objection(m)
}
