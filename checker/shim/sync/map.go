package sync

import (
	"unsafe"

	"mendel/checker/sched"
)

// A Map is a map[any]any for concurrent use.
//
// It is data rather than a lock: what code outside control finds in it after
// an execution is what the execution left.
type Map struct {
	noCopy  noCopy
	entries map[any]*entry
	order   []*entry // in which keys were first stored
}

// An entry of a Map. It stays when its key is deleted: who sees the absence is
// synchronised with who deleted.
type entry struct {
	key, value any
	present    bool
	written    sched.Object // released by the last write
}

// table is the record of a Map.
type table struct {
	*Map
	was    []entry
	object sched.Object
}

func (r *table) restore() {
	if r.entries == nil {
		return // unchanged, or assigned anew meanwhile
	}
	r.entries, r.order = nil, nil
	for _, e := range r.was {
		r.insert(e.key).set(e.value)
	}
}

func (m *Map) record() *table {
	return meet(unsafe.Pointer(m), func() *table {
		r := &table{Map: m}
		for _, e := range m.order {
			if e.present {
				r.was = append(r.was, entry{key: e.key, value: e.value})
			}
		}
		return r
	})
}

// do announces an operation and carries it out.
func (m *Map) do(what string, kind sched.Kind, operation func()) {
	op := sched.Op{Kind: kind, Read: kind == sched.KindLoad, What: what}
	if sched.Active() {
		op.Obj = &m.record().object
	}
	sched.Do(op)
	if op.Read {
		used(m)
	} else {
		changed(m)
	}
	met.Lock()
	defer met.Unlock()
	if op.Obj == nil {
		delete(met.records, unsafe.Pointer(m)) // what is there now is there to stay
	}
	operation()
}

// find returns the entry of a key, nil if it was never stored, and makes the
// edge of a read.
func (m *Map) find(key any) *entry {
	e := m.entries[key]
	if e != nil {
		sched.Acquire(&e.written)
	}
	return e
}

// at returns the entry of a key if the key is present.
func (m *Map) at(key any) *entry {
	if e := m.find(key); e != nil && e.present {
		return e
	}
	return nil
}

// insert returns the entry of a key for a write that does not read.
func (m *Map) insert(key any) *entry {
	e := m.entries[key]
	if e == nil {
		e = &entry{key: key}
		if m.entries == nil {
			m.entries = map[any]*entry{}
		}
		m.entries[key] = e
		m.order = append(m.order, e)
	}
	return e
}

// set and unset are writes. Only they happen before a later read, not what
// they replace: the edges of earlier writes are forgotten, except those that
// the goroutine itself has observed.
func (e *entry) set(value any) {
	e.value, e.present = value, true
	e.wrote()
}

func (e *entry) unset() {
	e.value, e.present = nil, false
	e.wrote()
}

func (e *entry) wrote() {
	e.written = sched.Object{}
	sched.Release(&e.written)
}

// Load returns the value of a key, nil if there is none, and whether there is one.
func (m *Map) Load(key any) (value any, ok bool) {
	m.do("Map.Load", sched.KindLoad, func() {
		if e := m.at(key); e != nil {
			value, ok = e.value, true
		}
	})
	return value, ok
}

// Store sets the value of a key.
func (m *Map) Store(key, value any) {
	m.do("Map.Store", sched.KindStore, func() { m.insert(key).set(value) })
}

// Clear deletes all keys.
func (m *Map) Clear() {
	m.do("Map.Clear", sched.KindStore, func() {
		for _, e := range m.order {
			e.unset()
		}
	})
}

// LoadOrStore returns the value of a key if there is one, and otherwise sets
// and returns the given one. It reports whether the value was loaded.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	actual = value
	m.do("Map.LoadOrStore", sched.KindStore, func() {
		if e := m.at(key); e != nil {
			actual, loaded = e.value, true
			return
		}
		m.insert(key).set(value)
	})
	return actual, loaded
}

// LoadAndDelete deletes a key and returns its value, if there was one.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.do("Map.LoadAndDelete", sched.KindStore, func() {
		if e := m.at(key); e != nil {
			value, loaded = e.value, true
			e.unset()
		}
	})
	return value, loaded
}

// Delete deletes a key.
func (m *Map) Delete(key any) {
	m.do("Map.Delete", sched.KindStore, func() {
		if e := m.entries[key]; e != nil {
			e.unset()
		}
	})
}

// Swap sets the value of a key and returns the previous one, if any.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.do("Map.Swap", sched.KindStore, func() {
		if e := m.at(key); e != nil {
			previous, loaded = e.value, true
		}
		m.insert(key).set(value)
	})
	return previous, loaded
}

// CompareAndSwap sets the value of a key to new if it is old.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.do("Map.CompareAndSwap", sched.KindStore, func() {
		if e := m.at(key); e != nil && e.value == old {
			e.set(new)
			swapped = true
		}
	})
	return swapped
}

// CompareAndDelete deletes a key if its value is old.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.do("Map.CompareAndDelete", sched.KindStore, func() {
		if e := m.at(key); e != nil && e.value == old {
			e.unset()
			deleted = true
		}
	})
	return deleted
}

// Range calls f for each key and value, in the order in which the keys were
// first stored, until f returns false. Each entry is looked at in a step of
// its own: Range sees no snapshot.
func (m *Map) Range(f func(key, value any) bool) {
	for i, more := 0, true; more; i++ {
		var key, value any
		present := false
		m.do("Map.Range", sched.KindLoad, func() {
			for ; i < len(m.order) && !present; i++ {
				e := m.order[i]
				sched.Acquire(&e.written)
				key, value, present = e.key, e.value, e.present
			}
			i-- // the last one looked at
			more = present
		})
		if present && !f(key, value) {
			return
		}
	}
}
