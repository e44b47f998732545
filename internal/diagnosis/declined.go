package diagnosis

import (
	"slices"

	"mendel/mutate"
)

// mostAsked is how many findings operators are asked about, and how many places of each.
// Guessed: what comes later is seldom what is mended.
const (
	mostAsked  = 3
	placesEach = 2
)

// Declined asks the operators of the strategies for the first findings why they make no edit
// at the places, and notes what they say: whoever looks for the fix sees at once which one was
// withheld, and by which precondition.
func Declined(space *mutate.Space, found []Finding) {
	for i := range found[:min(mostAsked, len(found))] {
		f := &found[i]
		var operators []string
		for _, s := range Strategies(f.Fault) {
			if !slices.Contains(operators, s.Operator) {
				operators = append(operators, s.Operator)
			}
		}
		f.Declined = nil
		var asked []Place
		for _, p := range f.Places[:min(placesEach, len(f.Places))] {
			function := Place{File: p.File, Func: p.Func}
			if p.Func != "" && !slices.Contains(asked, function) {
				asked = append(asked, function)
				f.Declined = append(f.Declined, space.Declines(p.File, p.Func, operators)...)
			}
		}
	}
}
