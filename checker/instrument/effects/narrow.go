package effects

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An object without exported fields counts as one variable. But some methods read only
// what others never write: strings.Reader.Size, io.SectionReader.ReadAt. Fields that such
// methods read are narrow. They are named by the methods that read nothing else and by
// those that write them, so that no race is reported that is none.

// narrowOf are the narrow fields of a type; nil for none.
func (a *analyser) narrowOf(pkg *ssa.Package, named *types.Named) set[int16] {
	st, ok := named.Underlying().(*types.Struct)
	if !ok || exportsFields(types.NewPointer(named)) {
		return nil
	}
	var reads, writes []set[int16]
	for method := range named.Methods() {
		fn := pkg.Prog.FuncValue(method)
		if fn == nil || !method.Exported() {
			continue
		}
		if words := known[pkg.Pkg.Path()+"."+named.Obj().Name()+"."+method.Name()]; strings.Contains(words, "0w") {
			return nil // which does not name fields
		}
		s := a.summaryOf(fn)
		if s == nil {
			continue
		}
		r, w, alone := ofReceiver(s)
		if len(w) > 0 {
			writes = append(writes, w)
		} else if alone && flat(st, r) {
			reads = append(reads, r)
		}
	}
	narrow := set[int16]{}
	for _, r := range reads {
		for _, w := range writes {
			if !w[all] && disjoint(r, w) {
				for f := range r {
					narrow[f] = true
				}
			}
		}
	}
	return narrow
}

// ofReceiver are the fields of its receiver that a method reads and writes. alone reports
// that it does nothing under a lock.
func ofReceiver(s *summary) (reads, writes set[int16], alone bool) {
	reads, writes, alone = set[int16]{}, set[int16]{}, true
	for e := range s.effects {
		if e.general() || e.parameter != 0 || e.followed > 0 {
			continue
		}
		switch e.what {
		case "r":
			reads[e.field] = true
		case "w", "a":
			writes[e.field] = true
		case "l", "S", "L":
			alone = false
		}
	}
	return reads, writes, alone
}

// flat reports whether fields hold one value each that is written only as a whole.
func flat(st *types.Struct, fields set[int16]) bool {
	for f := range fields {
		if f == all || int(f) >= st.NumFields() {
			return false
		}
		switch st.Field(int(f)).Type().Underlying().(type) {
		case *types.Struct, *types.Array:
			return false
		}
		if f == 0 && !wide(st.Field(0).Type()) {
			return false // its word stands for the object
		}
	}
	return len(fields) > 0
}

// wide reports whether a value takes more than a word.
func wide(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Slice, *types.Interface:
		return true
	}
	return false
}

func disjoint(a, b set[int16]) bool {
	for f := range a {
		if b[f] {
			return false
		}
	}
	return true
}

// narrowed are the words about the narrow fields among those that a method reads or
// writes, and whether they are all that is to be said of it.
func narrowed(what string, of, narrow set[int16], writes bool) (word string, enough bool) {
	some, others := set[int16]{}, of[all]
	for f := range narrow {
		if of[f] || of[all] {
			some[f] = true
		}
	}
	for f := range of {
		others = others || !narrow[f]
	}
	if len(some) == 0 || what == "r" && (others || writes) {
		return "", false
	}
	return what + list(some), what == "r"
}
