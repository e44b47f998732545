package effects

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel/internal/gotool"
)

// tables are those of versions of Go that most users have, by the version.
//
//go:embed tables/*.txt
var tables embed.FS

// version is that of the toolchain: "go1.26.8".
func (t *Table) version() string {
	v, _, _ := strings.Cut(t.of, " ")
	return v
}

// Nearest is the embedded table of a version of Go, or else the newest one of the same
// version of the language, or of one before it, or the oldest.
func Nearest(v string) *Table {
	near := ""
	for _, have := range Embedded() {
		older := version.Compare(version.Lang(have), version.Lang(v)) <= 0
		if near == "" || near != v && older || have == v {
			near = have
		}
	}
	text, err := tables.ReadFile("tables/" + near + ".txt")
	if err != nil {
		panic(err) // not possible: it is in the list
	}
	t, err := parseTable(string(text))
	if err != nil {
		panic(fmt.Sprintf("effects: table of %s: %v", near, err)) // not possible: a test reads it
	}
	return t
}

// Embedded are the versions of Go whose tables Mendel has, the oldest first.
func Embedded() []string {
	entries, err := tables.ReadDir("tables")
	if err != nil {
		panic(err) // not possible: it is embedded
	}
	var versions []string
	for _, e := range entries {
		versions = append(versions, strings.TrimSuffix(e.Name(), ".txt"))
	}
	slices.SortFunc(versions, version.Compare)
	return versions
}

// For is the table for programs that a toolchain builds of packages of its library, by
// import path. Where none is embedded of exactly that version and port, the packages are
// analysed, and what is found is kept in the toolchain's cache. About packages that are not
// named, and if the analysis fails, the nearest table speaks: see Table.Note. The error is
// ctx's.
func For(ctx context.Context, tool *gotool.Toolchain, paths []string) (*Table, error) {
	near := Nearest(tool.Version)
	if near.of == tool.Version+" "+tool.Port {
		return near, nil
	}
	own, err := ownTable(ctx, tool, paths)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("find what library calls do: %w", ctx.Err())
	}
	if err != nil {
		noted := *near
		noted.Note = fmt.Sprintf("effects of library calls are those of %s, not %s: %s", near.version(), tool.Version, firstLine(err))
		return &noted, nil
	}
	return own.over(near), nil
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// ownTable is the table of a toolchain's own library with at least the packages named.
func ownTable(ctx context.Context, tool *gotool.Toolchain, paths []string) (*Table, error) {
	file := cacheFile(ctx, tool)
	kept := read(file, tool)
	var missing []string
	for _, path := range paths {
		if covered(path) && kept.packages[path] == nil {
			missing = append(missing, path)
		}
	}
	if len(missing) == 0 {
		return kept, nil
	}
	made, err := Analyse(ctx, tool, missing...)
	if err != nil {
		return nil, err
	}
	made = made.over(read(file, tool)) // another process may have kept some meanwhile
	keep(file, made)
	return made, nil
}

// cacheFile is where a toolchain's table is kept; "" if nothing can be kept. Its name has
// what the toolchain builds for, and a hash of the embedded tables: another analysis, which
// would find something else, has other tables.
func cacheFile(ctx context.Context, tool *gotool.Toolchain) string {
	dir, err := tool.CacheDir(ctx)
	if err != nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintln(h, tool.Port)
	for _, v := range Embedded() {
		text, err := tables.ReadFile("tables/" + v + ".txt")
		if err != nil {
			return ""
		}
		h.Write(text)
	}
	return filepath.Join(dir, fmt.Sprintf("effects-%x.txt", h.Sum(nil)[:8]))
}

// read reads a table that was kept; what does not read is as good as nothing.
func read(file string, tool *gotool.Toolchain) *Table {
	of := tool.Version + " " + tool.Port
	if text, err := os.ReadFile(file); err == nil {
		if t, err := parseTable(string(text)); err == nil && t.of == of {
			return t
		}
	}
	return &Table{of: of, packages: map[string]map[string]string{}}
}

// keep keeps a table. Of processes that do so at once the last one wins, and what others
// found is found again. That it cannot be kept is no error: it is made each time then.
func keep(file string, t *Table) {
	if file == "" {
		return
	}
	var text bytes.Buffer
	if err := t.write(&text); err != nil {
		return
	}
	temp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return
	}
	_, err = temp.Write(text.Bytes())
	if closed := temp.Close(); err != nil || closed != nil || os.Rename(temp.Name(), file) != nil {
		_ = os.Remove(temp.Name())
	}
}
