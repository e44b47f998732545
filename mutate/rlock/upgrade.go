package rlock

import (
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/internal/sectionedit"
)

// upgrades lists the sections inside one of the read side that take the write
// side of the same lock: they wait for all readers, this one included.
func upgrades(fn *mutate.Function, outer *mutate.Section) []*mutate.Section {
	var found []*mutate.Section
	for _, s := range fn.Sections() {
		if !s.Read && outer.Encloses(s) && outer.SameLock(s) {
			found = append(found, s)
		}
	}
	return found
}

// upgrade is the edit that takes the write side from the start. It is as hot as
// what waits for it inside.
func upgrade(fn *mutate.Function, s *mutate.Section) mutate.Edit {
	e := fn.NewEdit("rlock", s.Acquire, s.Body...)
	e.Lock, e.Form = &s.Lock, formUpgrade
	for _, inner := range upgrades(fn, s) {
		heat, _ := fn.Narrowing.HeatAt(inner.Acquire.Pos())
		e.Heat = max(e.Heat, heat)
	}
	e.Note = "a read lock cannot be upgraded: take the write lock from the start"
	if writes(fn, s) {
		e.Note = effects.Subject(fn, "is", s.Body...) + " here as well as read"
	}
	return e
}

func applyUpgrade(m *mutate.Mutation, e mutate.Edit, outer *sectionedit.Section) error {
	inner := upgrades(outer.Fn, outer.Section)
	if len(inner) == 0 {
		return mutate.Refuse(e, "nothing in the section takes the write side")
	}
	for _, s := range inner {
		at := e
		at.Node = outer.Fn.ID(s.Acquire)
		section, err := sectionedit.Of(m, at)
		if err != nil {
			return err
		}
		if err := section.DropAll(); err != nil {
			return err
		}
	}
	return outer.Writes()
}
