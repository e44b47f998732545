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

// A cell has the edits that are one strategy for one finding, best first.
type cell struct {
	distance int // from the first finding and the first strategy that it has edits for
	edits    []*mutate.Edit
}

// Plan gives a turn to each of some edits that mends what was found: those of the first
// strategies for the first findings come first, and of one strategy those that are worth
// more. What has flags comes after all that has none.
func Plan(found []Finding, edits []mutate.Edit) Turn {
	turn := make(Turn)
	turn.add(cellsOf(found, edits, func(e *mutate.Edit) bool { return len(e.Flags) == 0 }))
	turn.add(cellsOf(found, edits, func(e *mutate.Edit) bool { return len(e.Flags) > 0 }))
	return turn
}

// cellsOf are the cells of those edits that are wanted, in their order.
func cellsOf(found []Finding, edits []mutate.Edit, wanted func(*mutate.Edit) bool) (cells []*cell) {
	for i := range found {
		distance := i
		for _, s := range Strategies(found[i].Fault) {
			c := &cell{distance: distance}
			for n := range edits {
				if s.fits(&found[i], &edits[n]) && wanted(&edits[n]) {
					c.edits = append(c.edits, &edits[n])
				}
			}
			if len(c.edits) == 0 {
				continue
			}
			distance++
			slices.SortStableFunc(c.edits, func(a, b *mutate.Edit) int { return cmp.Compare(b.Worth(), a.Worth()) })
			cells = append(cells, c)
		}
	}
	slices.SortStableFunc(cells, func(a, b *cell) int { return cmp.Compare(a.distance, b.distance) })
	return cells
}

// add gives turns to the edits of cells, some of each in its turn, until there are enough.
func (t Turn) add(cells []*cell) {
	for left := true; left; {
		left = false
		for _, c := range cells {
			for n := 0; n < together && len(c.edits) > 0; c.edits = c.edits[1:] {
				if key := c.edits[0].Key(); t[key] == 0 && len(t) < most {
					t[key] = len(t) + 1
					n++
				}
			}
			left = left || len(c.edits) > 0
		}
	}
}
