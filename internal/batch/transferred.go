package batch

import (
	"fmt"
	"path/filepath"
	"slices"

	"mendel/internal/repair"
	"mendel/internal/result"
	"mendel/mutate"
)

// TransferredTo are the fixes of the other packages of the series that an
// output directory belongs to, for a repair of it that goes on by itself; none
// if it belongs to none.
func TransferredTo(out string) []repair.Transferred {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil
	}
	s, err := Read(filepath.Dir(out))
	if err != nil || !slices.ContainsFunc(s.Packages, func(p Package) bool { return p.Out == filepath.Base(out) }) {
		return nil
	}
	var all []repair.Transferred
	for _, p := range s.Packages {
		if p.Status != result.Fixed || p.Out == filepath.Base(out) {
			continue
		}
		// What cannot be read is one thing less to try.
		if t, err := repair.ReadTransferred(s.name(p), filepath.Join(s.out, p.Out)); err == nil {
			all = append(all, t)
		}
	}
	return all
}

// relate finds which packages' fixes are parts of others', by name, and says that
// and which change the same files.
func relate(fixes []repair.Transferred) (within map[string]string, notes []string) {
	within = map[string]string{}
	for i, a := range fixes {
		for j, b := range fixes {
			if i == j || a.Module != b.Module {
				continue
			}
			contained, contains := mutate.HasAll(b.Edits, a.Edits), mutate.HasAll(a.Edits, b.Edits)
			switch file := sharedFile(a, b); {
			case contained && !contains:
				within[a.Name] = b.Name
				notes = append(notes, fmt.Sprintf("the fix of %s is part of that of %s: apply that one, and run the tests of %s with it", a.Name, b.Name, a.Name))
			case i < j && !contained && !contains && file != "":
				notes = append(notes, fmt.Sprintf("the fixes of %s and %s both change %s: after one of their patches the other may not apply any more", a.Name, b.Name, file))
			}
		}
	}
	return within, notes
}

// sharedFile is a file in which both fixes have edits; "" if there is none.
func sharedFile(a, b repair.Transferred) string {
	for _, e := range a.Edits {
		if slices.ContainsFunc(b.Edits, func(o mutate.Edit) bool { return o.File == e.File }) {
			return e.File
		}
	}
	return ""
}
