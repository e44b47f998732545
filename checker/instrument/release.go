package instrument

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// releasedBy is the go/build context of the toolchain in goroot for files of the runtime:
// which of them it compiles, by their build tags and names.
func releasedBy(goroot string, sources fs.FS) (*build.Context, error) {
	minor, err := minorOf(goroot)
	if err != nil {
		return nil, err
	}
	c := build.Default
	c.ReleaseTags = nil
	for i := 1; i <= minor; i++ {
		c.ReleaseTags = append(c.ReleaseTags, fmt.Sprintf("go1.%d", i))
	}
	c.JoinPath = path.Join
	c.OpenFile = func(name string) (io.ReadCloser, error) { return sources.Open(name) }
	return &c, nil
}

// minorOf is the N of the Go 1.N that a toolchain is, also one under development, whose
// version has another form.
func minorOf(goroot string) (int, error) {
	file := filepath.Join(goroot, "src", "internal", "goversion", "goversion.go")
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, fmt.Errorf("find the release of the toolchain: %w", err)
	}
	tree, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
	if err != nil {
		return 0, fmt.Errorf("find the release of the toolchain: %w", err)
	}
	minor := 0
	ast.Inspect(tree, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Names[0].Name == "Version" && len(v.Values) == 1 {
			if literal, ok := v.Values[0].(*ast.BasicLit); ok {
				minor, _ = strconv.Atoi(literal.Value)
			}
		}
		return true
	})
	if minor == 0 {
		return 0, fmt.Errorf("find the release of the toolchain: %s declares no Version", file)
	}
	return minor, nil
}

// filesOf are the Go files of a directory of the runtime that a toolchain compiles into a
// program, without tests.
func filesOf(release *build.Context, sources fs.FS, dir string) ([]string, error) {
	all, err := fs.Glob(sources, dir+"/*.go")
	if err != nil {
		return nil, err
	}
	var files []string
	for _, name := range all {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		matches, err := release.MatchFile(dir, path.Base(name))
		if err != nil {
			return nil, err
		}
		if matches {
			files = append(files, name)
		}
	}
	return files, nil
}
