package trial

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel"
	"mendel/internal/bench/programs"
)

// writtenOtherwise applies the best fix to the copy that was repaired, as
// --write does. It says how the result differs from an untouched copy to which
// git has applied the patch; "" if it does not.
func writtenOtherwise(ctx context.Context, result *mendel.Result, work, source string) (problem string, err error) {
	best := result.Fixes[0]
	if err := result.Apply(best); err != nil {
		return fmt.Sprintf("--write: %v", err), nil
	}
	patched := work + "-patched"
	said, err := programs.PatchedCopy(ctx, patched, source, best.Diff)
	if err != nil || said != "" {
		return strings.TrimSpace("git apply: " + said), err
	}
	name, err := firstDifference(work, patched)
	if err != nil || name == "" {
		return "", err
	}
	return fmt.Sprintf("--write and git apply of %s leave different trees: %s", best.Patch, name), nil
}

// firstDifference is the first file, in the order of their names, that two
// directories do not have alike; "" if there is none.
func firstDifference(a, b string) (string, error) {
	one, err := readTree(a)
	if err != nil {
		return "", err
	}
	other, err := readTree(b)
	if err != nil {
		return "", err
	}
	for _, name := range slices.Sorted(maps.Keys(one)) {
		if other[name] != one[name] {
			return name, nil
		}
		delete(other, name)
	}
	for _, name := range slices.Sorted(maps.Keys(other)) {
		return name, nil
	}
	return "", nil
}

// readTree reads the files below a directory: their modes and contents.
func readTree(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		files[name] = fmt.Sprint(info.Mode(), "\n") + string(data)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", dir, err)
	}
	return files, nil
}
