package sched

import (
	"math/bits"
	"unsafe"
)

// A shadow is shadow memory: words by address, in an open-addressing table. It
// is used for one execution after the other.
type shadow struct {
	words []word     // in the order in which they were met
	index []uint32   // by hash: place in words plus 1, 0: none; a power of 2 long
	shift int        // of a hash, to be an index
	of    *execution // nil between executions
	most  int        // words, 0: maxWords
	arena []access   // where words get room for their first access
}

// A word of shadow memory.
type word struct {
	address  uintptr        // aligned
	keep     unsafe.Pointer // so that the address is not used again
	accesses []access
}

// find returns the word at an address, which p points into; it holds until the
// next call.
func (s *shadow) find(address uintptr, p unsafe.Pointer) *word {
	if len(s.words) >= len(s.index)/2 {
		s.makeRoom()
	}
	i := s.hash(address)
	for ; s.index[i] != 0; i = (i + 1) & (len(s.index) - 1) {
		if w := &s.words[s.index[i]-1]; w.address == address {
			return w
		}
	}
	n := len(s.words)
	if n < cap(s.words) {
		s.words = s.words[:n+1]
	} else {
		s.words = append(s.words, word{})
	}
	s.index[i] = uint32(n + 1)
	w := &s.words[n]
	w.address, w.keep = address, p
	if w.accesses == nil {
		if len(s.arena) == 0 {
			s.arena = make([]access, arenaRoom)
		}
		w.accesses, s.arena = s.arena[:0:1], s.arena[1:]
	}
	return w
}

// arenaRoom is how many words get their room in one piece. Most have one access.
const arenaRoom = 256

// hash is multiplicative: Knuth, The Art of Computer Programming, volume 3,
// section 6.4.
func (s *shadow) hash(address uintptr) int {
	return int(uint64(address) >> 3 * 0x9e3779b97f4a7c15 >> s.shift)
}

const leastIndex = 64

func (s *shadow) grow() {
	s.index = make([]uint32, max(2*len(s.index), leastIndex))
	s.shift = 64 - bits.TrailingZeros(uint(len(s.index)))
	s.list()
}

// list puts all words into an empty index.
func (s *shadow) list() {
	for n := range s.words {
		i := s.hash(s.words[n].address)
		for s.index[i] != 0 {
			i = (i + 1) & (len(s.index) - 1)
		}
		s.index[i] = uint32(n + 1)
	}
}

// Bounds of the shadow memory that is kept after an execution. Guessed.
const (
	maxSpare = 1 << 12 // words
	maxRoom  = 16      // accesses of a word
)

// reset forgets all words and keeps the room.
func (s *shadow) reset() {
	if len(s.words) > maxSpare {
		*s = shadow{of: s.of}
		return
	}
	clear(s.index)
	for i := range s.words {
		w := &s.words[i]
		w.address, w.keep = 0, nil
		if room := w.accesses[:cap(w.accesses)]; len(room) <= maxRoom {
			clear(room) // of pointers
			w.accesses = room[:0]
		} else {
			w.accesses = nil
		}
	}
	s.words = s.words[:0]
}
