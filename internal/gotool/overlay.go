package gotool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Overlay maps absolute file names to contents that replace or add to what
// is on disk. Files may be of any module, or make a new package below
// GOROOT/src, which every package can import.
type Overlay map[string][]byte

// named returns the overlay with Go files that say themselves which names they stand
// for. The go command remembers what vet printed about a source, and prints it again for
// the same source in another file: the name would be that of a file which is gone.
func (o Overlay) named() Overlay {
	named := maps.Clone(o)
	for name, content := range o {
		if filepath.Ext(name) == ".go" {
			line := fmt.Sprintf("//line %s:1:1\n", filepath.Clean(name))
			named[name] = append([]byte(line), bytes.TrimPrefix(content, byteOrderMark)...)
		}
	}
	return named
}

// byteOrderMark may begin a Go file, and stand nowhere else in it.
var byteOrderMark = []byte("\ufeff")

// actualNames maps the files that hold an overlay's contents to the names
// they stand for.
type actualNames map[string]string

// rootFor is the GOROOT of links that a build needs whose overlay has files of the
// library; "" if it has none.
func (t *Toolchain) rootFor(ctx context.Context, o Overlay) (string, error) {
	dirs := map[string]bool{}
	for name := range o {
		if t.inLibrary(name) {
			dirs[filepath.Dir(name)] = true
		}
	}
	if len(dirs) == 0 {
		return "", nil
	}
	root, err := t.linkedRoot(ctx)
	if err != nil {
		return "", err
	}
	for dir := range dirs {
		if err := reserve(t.relocated(dir, root)); err != nil {
			return "", fmt.Errorf("add a package to the library: %w", err)
		}
	}
	return root, nil
}

// writeOverlay writes an overlay's contents and the file that describes it to
// dir, and notes their names. An -overlay of the user's own stays in force,
// except for files that o replaces. Root is the GOROOT of links, if there is one.
func (t *Toolchain) writeOverlay(dir, root string, o BuildOptions, names actualNames) (string, error) {
	replace, err := t.userOverlay(o.Flags)
	if err != nil {
		return "", err
	}
	for i, name := range slices.Sorted(maps.Keys(o.Overlay)) {
		if !filepath.IsAbs(name) {
			return "", fmt.Errorf("file name %q is not absolute", name)
		}
		actual := filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(name)))
		if err := os.WriteFile(actual, o.Overlay[name], 0o600); err != nil {
			return "", err
		}
		name = filepath.Clean(name)
		replace[name] = actual
		names[actual] = name
	}
	relocated := map[string]string{}
	for name, actual := range replace {
		relocated[t.relocated(name, root)] = actual
	}
	data, err := json.Marshal(overlayJSON{Replace: relocated})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, data, 0o600)
}

// overlayJSON is the file format of the go command's -overlay.
type overlayJSON struct{ Replace map[string]string }

// userOverlay reads the overlay that the user's own flags name, all names
// made absolute.
func (t *Toolchain) userOverlay(flags []string) (map[string]string, error) {
	replace := map[string]string{}
	file := ""
	all := append(splitQuoted(t.flags), flags...)
	for i, flag := range all {
		name, value, found := strings.Cut(strings.TrimPrefix(flag, "-"), "=")
		switch {
		case name != "-overlay" && (name != "overlay" || !strings.HasPrefix(flag, "-")):
		case found:
			file = value
		case i+1 < len(all):
			file = all[i+1]
		}
	}
	if file == "" {
		return replace, nil
	}
	data, err := os.ReadFile(t.abs(file))
	if err != nil {
		return nil, fmt.Errorf("read your -overlay: %w", err)
	}
	var user overlayJSON
	if err := json.Unmarshal(data, &user); err != nil {
		return nil, fmt.Errorf("read your -overlay %s: %w", file, err)
	}
	for name, actual := range user.Replace {
		if actual != "" { // "" removes the file
			actual = t.abs(actual)
		}
		replace[t.abs(name)] = actual
	}
	return replace, nil
}

// abs makes a name absolute that is relative to where the go command runs.
func (t *Toolchain) abs(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(t.Dir, name)
}

// restore puts the files' own names into what a command, run in dir, printed
// about the files that hold the contents, as vet does where they are not Go.
func (n actualNames) restore(dir, output string) string {
	var pairs []string
	for actual, name := range n {
		if rel, err := filepath.Rel(dir, actual); err == nil {
			pairs = append(pairs, rel, name)
		}
		pairs = append(pairs, actual, name)
	}
	return strings.NewReplacer(pairs...).Replace(output)
}
