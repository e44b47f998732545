package winners

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed testdata/programs.txtar
var archive []byte

// A program is a package of the module in the archive.
type program struct {
	Name   string   `json:"name"`             // of the package and its directory
	Wanted []string `json:"wanted"`           // operators of which one should win, those that belong together included
	Writes []string `json:"writes,omitempty"` // regular expressions of what the fix must write
}

// list reads the list in an archive's comment: a line "name: operators" for
// each program, which lines "name ~ regular expression" may follow. Other lines have no
// colon.
func list(archive []byte) ([]program, error) {
	a := txtar.Parse(archive)
	var all []program
	for line := range strings.Lines(string(a.Comment)) {
		if name, writes, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ~ "); found {
			if _, err := regexp.Compile(writes); err != nil {
				return nil, fmt.Errorf("what program %q of the archive is to write: %w", name, err)
			}
			if len(all) == 0 || all[len(all)-1].Name != name {
				return nil, fmt.Errorf("program %q of the archive is to write something, and is not the one before", name)
			}
			p := &all[len(all)-1]
			p.Writes = append(p.Writes, writes)
			continue
		}
		name, operators, found := strings.Cut(line, ":")
		if !found {
			continue
		}
		p := program{Name: strings.TrimSpace(name), Wanted: strings.Fields(operators)}
		if len(p.Wanted) == 0 || !slices.ContainsFunc(a.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, p.Name+"/") }) {
			return nil, fmt.Errorf("program %q of the archive has no files or no operator", p.Name)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, errors.New("the archive lists no programs")
	}
	return all, nil
}

// unpack writes the module of an archive to a directory.
func unpack(dir string, archive []byte) error {
	files, err := txtar.FS(txtar.Parse(archive))
	if err != nil {
		return fmt.Errorf("read the archive of programs: %w", err)
	}
	if err := os.CopyFS(dir, files); err != nil {
		return fmt.Errorf("unpack the archive of programs: %w", err)
	}
	return nil
}
