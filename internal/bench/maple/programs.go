package maple

import (
	_ "embed"
	"fmt"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed testdata/programs.txtar
var archive []byte

// A program is a package of the module in the archive.
type program struct {
	Name    string `json:"name"`    // of the package and its directory
	Paper   string `json:"paper"`   // the paper's name
	Idiom   int    `json:"idiom"`   // of the bug in the paper; 0: none
	Profile int    `json:"profile"` // runs that profiled, in the paper
	Forced  int    `json:"forced"`  // runs that forced, in the paper
}

// list reads the list in an archive's comment.
func list(archive []byte) ([]program, error) {
	var all []program
	for line := range strings.Lines(string(txtar.Parse(archive).Comment)) {
		name, rest, found := strings.Cut(line, ":")
		if !found {
			continue
		}
		p := program{Name: name}
		if _, err := fmt.Sscan(rest, &p.Paper, &p.Idiom, &p.Profile, &p.Forced); err != nil {
			return nil, fmt.Errorf("program %q of the archive: %w", name, err)
		}
		all = append(all, p)
	}
	return all, nil
}
