package sched

// A channel may be made with room for billions of values, of which few are ever sent.
// The runtime takes memory for all of them, which costs nothing where the system
// gives it only when it is used, and ends the process elsewhere. Here a buffer, and
// the clocks of its elements, grow with what is sent, and the real channel, in which
// nothing lies but what code outside control sends, has no more than realMemory.

const (
	manySlots  = 1 << 10 // elements of a buffer from the start, guessed
	realMemory = 1 << 24 // of the buffer of a real channel, bytes
)

// realRoom is the capacity of the real channel that stands for one with room for n
// values of a size. What cannot be made at all it leaves to make, which panics.
func realRoom(n int, size uintptr) int {
	if n < 0 || size == 0 || uint64(n) > 1<<47/uint64(size) {
		return n
	}
	return min(n, realMemory/int(size))
}

// prepare makes room in a buffer.
func (c *channel) prepare() {
	c.grow(min(c.capacity, manySlots))
	c.slots = make([]Clock, c.room)
}

// grow makes room for n values.
func (c *channel) grow(n int) {
	c.buffer, c.room = c.more(c.buffer, c.room, n), n
}

// clockOf is the clock of an element of the buffer.
func (c *channel) clockOf(i int) *Clock {
	for i >= len(c.slots) {
		c.slots = append(c.slots, nil)
	}
	return &c.slots[i]
}
