package driver

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"mendel/checker/sched/explore"
)

// part is what this process explores of a search that is divided among several.
func (e *exploration) part() explore.Part {
	p := explore.Part{Index: e.search.Part, Of: e.search.Parts}
	if p.Of > 1 && e.search.Board != "" {
		p.Enough, p.Claim = e.enough, e.claim
	}
	if runtime.GOOS == "windows" {
		p.Claim = nil // where a file that is appended to ends is not told there
	}
	return p
}

// claim takes the next unit of a bound: it adds a byte to a file, and who does so learns
// which one that is.
func (e *exploration) claim(bound int) int {
	units, err := os.OpenFile(filepath.Join(e.search.Board, fmt.Sprintf("units-%d", bound)), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0
	}
	defer units.Close()
	if _, err := units.Write([]byte{'.'}); err != nil {
		return 0
	}
	end, err := units.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return int(end)
}

// failures is the file with the failures that parts have found.
func (e *exploration) failures() string { return filepath.Join(e.search.Board, "failures") }

// post tells the other processes of a failure.
func (e *exploration) post(f explore.Found) {
	if e.search.Parts < 2 || e.search.Board == "" || len(e.found) == 0 {
		return
	}
	board, err := os.OpenFile(e.failures(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return // they explore more than is needed
	}
	defer board.Close()
	fmt.Fprintf(board, "%d %d\n", f.Bound, f.Unit)
}

// enough reports whether a failure is known that comes before a unit.
func (e *exploration) enough(bound, unit int) bool {
	text, err := os.ReadFile(e.failures())
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
