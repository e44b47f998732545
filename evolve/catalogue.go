package evolve

// The edits there are, and which of them to try first.

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"mendel/mutate"
)

// coldHeat is what an edit without any heat is worth beside one of heat and belief 1. Guessed.
const coldHeat = 0.05

// A choice is an edit as something to draw.
type choice struct {
	*mutate.Edit
	operator string  // or form, that it is weighed as
	id       string  // its key
	weight   float64 // among the choices of its operator; positive
	value    float64 // in the opening
}

// A site is a place that edits change.
type site struct {
	file string
	node int
}

func siteOf(e *mutate.Edit) site { return site{e.File, e.Node} }

// A catalogue is a space's edits by operator and by site. Forms that are weighed
// apart count as operators.
type catalogue struct {
	edits     []mutate.Edit
	operators []string             // sorted
	functions []function           // that edits change, in the order of the edits
	by        map[string][]*choice // operator: its choices, hottest first
	at        map[site][]*choice   // those at one place, in the order of the operators
}

// refresh returns a catalogue of the edits, with or without composite ones, the
// same one if they are; name is what an edit is weighed as. A nil catalogue can be
// refreshed.
func (c *catalogue) refresh(edits []mutate.Edit, composites bool, name func(*mutate.Edit) string) *catalogue {
	if c != nil && len(edits) == len(c.edits) && (len(edits) == 0 || &edits[0] == &c.edits[0]) {
		return c
	}
	c = &catalogue{edits: edits, by: make(map[string][]*choice), at: make(map[site][]*choice)}
	known := make(map[string]bool, len(edits))
	changed := make(map[function]bool)
	for i := range edits {
		e := &edits[i]
		if len(e.Parts) > 0 && !composites {
			continue
		}
		if id := e.Key().String(); !known[id] {
			known[id] = true
			op := name(e)
			c.by[op] = append(c.by[op], &choice{Edit: e, operator: op, id: id})
			if at := (function{e.File, e.Func}); !changed[at] {
				changed[at] = true
				c.functions = append(c.functions, at)
			}
		}
	}
	c.operators = slices.Sorted(maps.Keys(c.by))
	for _, op := range c.operators {
		choices := c.by[op]
		slices.SortStableFunc(choices, func(a, b *choice) int { return cmp.Compare(b.Worth(), a.Worth()) })
		appraise(choices)
		for _, ch := range choices {
			at := siteOf(ch.Edit)
			c.at[at] = append(c.at[at], ch)
		}
	}
	return c
}

// appraise sets the weights and values of one operator's choices, hottest first.
//
// Weights follow Zipf's law over the ranks of the sites: the k-th hottest gets
// 1/k, sites of equal heat the mean of their ranks' weights, and the edits of
// a site (other locks, longer spans) share its weight. No place is without a
// chance, and half of all draws stay among the hottest few.
//
// Values fall with each further edit of the same site, so that an opening
// visits other places before it tries thirty spans at one.
func appraise(choices []*choice) {
	var order []site
	heat := make(map[site]float64)
	variants := make(map[site]int)
	for _, ch := range choices {
		at := siteOf(ch.Edit)
		if variants[at] == 0 {
			order = append(order, at)
			heat[at] = ch.Worth()
		}
		variants[at]++
		ch.value = (max(ch.Worth(), 0) + coldHeat) / float64(variants[at])
	}
	zipf := make(map[site]float64, len(order))
	for first := 0; first < len(order); {
		last, sum := first, 0.0
		for ; last < len(order) && heat[order[last]] == heat[order[first]]; last++ {
			sum += 1 / float64(last+1)
		}
		for _, at := range order[first:last] {
			zipf[at] = sum / float64(last-first)
		}
		first = last
	}
	for _, ch := range choices {
		at := siteOf(ch.Edit)
		ch.weight = zipf[at] / float64(variants[at])
	}
}

// opening lists all choices in the order a first generation tries them: the
// most valuable first, but spread over the operators in proportion to their
// weights by the highest averages of D'Hondt's apportionment: an operator that
// had n turns competes with its next value times its weight over n+1.
func (c *catalogue) opening(weight func(operator string) float64) iter.Seq[*choice] {
	return func(yield func(*choice) bool) {
		queues := make([][]*choice, len(c.operators))
		weights := make([]float64, len(c.operators))
		for i, op := range c.operators {
			weights[i] = weight(op)
			queues[i] = slices.Clone(c.by[op])
			slices.SortStableFunc(queues[i], func(a, b *choice) int { return cmp.Compare(b.value, a.value) })
		}
		turns := make([]int, len(queues))
		for {
			next, most := -1, 0.0
			for i := range c.operators {
				if turns[i] == len(queues[i]) {
					continue
				}
				average := weights[i] * queues[i][turns[i]].value / float64(turns[i]+1)
				if next < 0 || average > most {
					next, most = i, average
				}
			}
			if next < 0 {
				return
			}
			ch := queues[next][turns[next]]
			turns[next]++
			if !yield(ch) {
				return
			}
		}
	}
}
