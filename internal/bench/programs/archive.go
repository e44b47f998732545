package programs

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// Unpack writes the module of a txtar archive to a directory.
func Unpack(dir string, archive []byte) error {
	files, err := txtar.FS(txtar.Parse(archive))
	if err != nil {
		return fmt.Errorf("read the archive of programs: %w", err)
	}
	if err := os.CopyFS(dir, files); err != nil {
		return fmt.Errorf("unpack the archive of programs: %w", err)
	}
	return nil
}

// Only takes the programs with the names that --only says; none: all. It is an error to
// name one that does not exist.
func Only[P any](all []P, name func(P) string, only []string) ([]P, error) {
	if len(only) == 0 {
		return all, nil
	}
	for _, o := range only {
		if !slices.ContainsFunc(all, func(p P) bool { return name(p) == o }) {
			return nil, fmt.Errorf("--only %s: no program is named %s", strings.Join(only, ","), o)
		}
	}
	return slices.DeleteFunc(all, func(p P) bool { return !slices.Contains(only, name(p)) }), nil
}
