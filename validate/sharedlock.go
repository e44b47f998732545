package validate

import (
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/mutate"
)

// sharesLock reports whether edits declare a lock of the package for fields: all values of
// their type have one lock then.
func (v *Validator) sharesLock(edits []mutate.Edit) bool {
	var names []string
	for _, e := range edits {
		if e.Lock != nil && e.Lock.New != nil && e.Lock.New.Kind == analysis.PackageLock {
			names = append(names, e.Vars...)
		}
	}
	if len(names) == 0 || v.o.Narrowing == nil {
		return false
	}
	_, _, variables := v.o.Narrowing.Findings()
	return slices.ContainsFunc(variables, func(f analysis.Finding) bool {
		field, ok := f.Object.(*types.Var)
		return ok && field.IsField() && slices.Contains(names, f.Name)
	})
}
