package journal

import (
	"fmt"
	"regexp"
	"strconv"
)

// Format is the version of what a run stores and of what that means. It grows
// when a stored thing changes its form, and when scores of earlier versions
// would mislead: when the checker or noise judges a mutant in another way. A run
// can go on with any Mendel that knows its format.
//
//	1: one Mendel's alone: the store has a hash of its executable instead
//	2: of all versions since
const Format = 2

// mendelItself names the format in a fingerprint.
const mendelItself = "Mendel"

// formatName is the format as it is stored.
func formatName() string { return fmt.Sprintf("format %d", Format) }

// executable is what format 1 has in its place.
var executable = regexp.MustCompile(`^[0-9a-f]{32}$`)

// formatOf reads the format of a stored run; 0 if it is none that this Mendel
// has heard of.
func formatOf(stored string) int {
	if executable.MatchString(stored) {
		return 1
	}
	var n int
	if _, err := fmt.Sscanf(stored, "format %d", &n); err != nil || n < 2 || stored != "format "+strconv.Itoa(n) {
		return 0
	}
	return n
}

// checkFormat refuses a run in a format that this Mendel does not know.
func checkFormat(out, stored string) error {
	switch n := formatOf(stored); {
	case n == 0:
		return fmt.Errorf("the repair in %s is stored as %q, and this Mendel knows formats 1 to %d: go on with the Mendel that began it, or begin another repair without --resume", out, stored, Format)
	case n > Format:
		return fmt.Errorf("the repair in %s is stored in format %d, and this Mendel knows formats 1 to %d: go on with the Mendel that began it, or begin another repair without --resume", out, n, Format)
	}
	return nil
}
