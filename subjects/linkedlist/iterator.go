package linkedlist

// An Iterator is a position in a list. It belongs to one goroutine.
type Iterator struct {
	list    *List
	current *node // nil: past the end
}

// Valid reports whether the iterator is at an element, or before the first one.
func (it *Iterator) Valid() bool {
	return it.current != nil
}

// Value is the element the iterator is at; it panics past the end.
func (it *Iterator) Value() int {
	return it.current.value
}

// Advance goes on to the next element, if the iterator is not past the end.
func (it *Iterator) Advance() {
	if it.current == nil {
		return
	}
	it.list.mu.Lock()
	defer it.list.mu.Unlock()
	it.current = it.current.next
}
