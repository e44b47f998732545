package diagnosis

import (
	"cmp"
	"slices"

	"mendel/mutate"
)

// together is how many edits of one strategy are tried before another strategy has its
// turn: the likeliest place is not always the right one, and the fifth span of statements
// seldom is. Guessed.
const together = 2

// most is how many edits have a turn: the first generation of a search tries so many alone,
// before it combines any. Guessed.
const most = 100

// A Turn is when an edit is tried, from 1, by what it does.
type Turn map[mutate.EditKey]int

// Of is the turn of an edit; 0: it mends nothing that was found.
func (t Turn) Of(e mutate.Edit) int { return t[e.Key()] }

// Plan gives a turn to each of some edits that mends what was found: those of the first
// strategies for the first findings come first. What has flags comes after what has none
// of the same strategy, and then what is worth less.
func Plan(found []Finding, edits []mutate.Edit) Turn {
	type cell struct {
		at    int // how far from the first finding and its first strategy
		edits []*mutate.Edit
	}
	var cells []*cell
	for i := range found {
		for k, s := range Strategies(found[i].Fault) {
			c := &cell{at: i + k}
			for n := range edits {
				if s.fits(&found[i], &edits[n]) {
					c.edits = append(c.edits, &edits[n])
				}
			}
			slices.SortStableFunc(c.edits, func(a, b *mutate.Edit) int {
				return cmp.Or(cmp.Compare(min(len(a.Flags), 1), min(len(b.Flags), 1)), cmp.Compare(b.Worth(), a.Worth()))
			})
			cells = append(cells, c)
		}
	}
	slices.SortStableFunc(cells, func(a, b *cell) int { return cmp.Compare(a.at, b.at) })
	turn := make(Turn)
	for left := true; left; {
		left = false
		for _, c := range cells {
			for n := 0; n < together && len(c.edits) > 0; c.edits = c.edits[1:] {
				if key := c.edits[0].Key(); turn[key] == 0 && len(turn) < most {
					turn[key] = len(turn) + 1
					n++
				}
			}
			left = left || len(c.edits) > 0 && len(turn) < most
		}
	}
	return turn
}
