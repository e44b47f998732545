package cache4j

import "time"

// An entry is a key with its value, and a place in a list.
type entry struct {
	key     string
	value   any
	created time.Time

	before, behind *entry
}

// A list is a ring of entries around a root that is none.
type list struct {
	root entry
}

func (l *list) init() {
	l.root.before, l.root.behind = &l.root, &l.root
}

// first is the first entry, nil if there is none.
func (l *list) first() *entry {
	return l.next(&l.root)
}

// next is the entry behind another one, nil behind the last.
func (l *list) next(e *entry) *entry {
	if e.behind == &l.root {
		return nil
	}
	return e.behind
}

// pushLast puts an entry at the end.
func (l *list) pushLast(e *entry) {
	e.before, e.behind = l.root.before, &l.root
	e.before.behind = e
	l.root.before = e
}

// unlink takes an entry out.
func (l *list) unlink(e *entry) {
	e.before.behind = e.behind
	e.behind.before = e.before
	e.before, e.behind = nil, nil
}
