package halves

import (
	"path/filepath"
	"testing"

	"mendel/validate/halves/halvestest"
	"mendel/validate/halves/pair"
)

// Each patch of each program leaves what stands beside it, and no more when all look for it: those of the rooms, too.
func TestFind(t *testing.T) {
	var all []pair.Finder
	for _, f := range finders {
		all = append(all, f.find)
	}
	for _, room := range []string{".", "channels", "memory"} {
		t.Run(room, func(t *testing.T) { halvestest.Run(t, filepath.Join(room, "testdata"), all...) })
	}
}
