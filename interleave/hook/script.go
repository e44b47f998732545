package hook

import (
	"fmt"
	"strconv"
	"strings"
)

// A Script is an interleaving that is to be forced.
type Script struct {
	Idiom int       // 1 to 6
	Sites [4]uint32 // of the ends A, B, C, D, as far as the idiom has them
	Seed  uint64    // of the choices
	Late  bool      // goroutines begin only when nothing else can go on
	// Patience is how long goroutines are held in all, in milliseconds, while others
	// could go on but do not come: they compute, spin, sleep, or wait for something
	// outside. A single hold takes a fifth of it at most.
	Patience uint64
}

func (s Script) String() string {
	late := 0
	if s.Late {
		late = 1
	}
	return fmt.Sprint(s.Idiom, s.Seed, late, s.Patience, s.Sites[0], s.Sites[1], s.Sites[2], s.Sites[3])
}

// parseScript reads what String writes.
func parseScript(text string) (s Script, ok bool) {
	fields := strings.Fields(text)
	var n [8]uint64
	if len(fields) != len(n) {
		return s, false
	}
	for i, f := range fields {
		var err error
		if n[i], err = strconv.ParseUint(f, 10, 64); err != nil {
			return s, false
		}
	}
	s = Script{Idiom: int(n[0]), Seed: n[1], Late: n[2] == 1, Patience: n[3]}
	for i := range s.Sites {
		s.Sites[i] = uint32(n[4+i])
	}
	return s, 1 <= s.Idiom && s.Idiom <= 6
}

// A step is one access of a script.
type step struct {
	site  uint32
	role  int  // 0 or 1: which of the two goroutines
	place int  // 0 or 1: X or Y
	meets bool // it waits for the other goroutine to reach the next step
}

// shapes are the idioms as steps in an order in which they can be made. The
// letters are ends of the idiom. Of idiom 5 the last two steps may come in either
// order.
var shapes = [7][]struct {
	end         int
	role, place int
	meets       bool
}{
	1: {{0, 0, 0, true}, {1, 1, 0, false}},
	2: {{0, 0, 0, true}, {1, 1, 0, true}, {2, 0, 0, false}},
	3: {{0, 0, 0, true}, {1, 1, 0, false}, {2, 1, 0, true}, {3, 0, 0, false}},
	4: {{0, 0, 0, true}, {1, 1, 0, false}, {2, 1, 1, true}, {3, 0, 1, false}},
	5: {{0, 0, 0, true}, {2, 1, 1, false}, {1, 1, 0, false}, {3, 0, 1, false}},
	6: {{0, 0, 0, true}, {1, 1, 0, false}, {2, 0, 1, true}, {3, 1, 1, false}},
}
