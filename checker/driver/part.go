package driver

import (
	"fmt"
	"os"
	"strings"

	"mendel/checker/sched"
)

// part is what this process explores of a search that is divided among several.
func (e *exploration) part() sched.Part {
	p := sched.Part{Index: e.search.Part, Of: e.search.Parts}
	if p.Of > 1 && e.search.Board != "" {
		p.Enough = e.enough
	}
	return p
}

// post tells the other processes of a failure.
func (e *exploration) post(f sched.Found) {
	if e.search.Parts < 2 || e.search.Board == "" || len(e.found) == 0 {
		return
	}
	board, err := os.OpenFile(e.search.Board, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return // they explore more than is needed
	}
	defer board.Close()
	fmt.Fprintf(board, "%d %d\n", f.Bound, f.Unit)
}

// enough reports whether a failure is known that comes before a unit.
func (e *exploration) enough(bound, unit int) bool {
	text, err := os.ReadFile(e.search.Board)
	if err != nil {
		return false // nobody has posted anything
	}
	for line := range strings.Lines(string(text)) {
		var b, u int
		if _, err := fmt.Sscan(line, &b, &u); err == nil && (b < bound || b == bound && u < unit) {
			return true
		}
	}
	return false
}
