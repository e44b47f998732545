package causal

import (
	_ "embed"
	"fmt"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed testdata/programs.txtar
var archive []byte

// A Program has a test of the buggy program and one, whose name ends in Fixed, of the
// mended one.
type program struct {
	Name    string `json:"name"`
	Find    counts `json:"find"`    // in the thesis
	Exhaust counts `json:"exhaust"` // in the thesis
}

// Counts are schedules that were needed in the thesis; 0: a time-out.
type counts struct {
	DFS      int `json:"dfs"`
	Chess    int `json:"chess"`
	RVCausal int `json:"rv_causal"`
}

// list reads the list in an archive's comment.
func list(archive []byte) ([]program, error) {
	var all []program
	for line := range strings.Lines(string(txtar.Parse(archive).Comment)) {
		name, rest, found := strings.Cut(line, ": ")
		if !found {
			continue
		}
		p := program{Name: name}
		if _, err := fmt.Sscan(rest, &p.Find.DFS, &p.Find.Chess, &p.Find.RVCausal, &p.Exhaust.DFS, &p.Exhaust.Chess, &p.Exhaust.RVCausal); err != nil {
			return nil, fmt.Errorf("program %q of the archive: %w", name, err)
		}
		all = append(all, p)
	}
	return all, nil
}
