package rewrite

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"mendel/analysis/evidence/symbol"
	"mendel/internal/gotool"
)

// Import paths inside the program under test.
const (
	VariantPath = symbol.Root + "variant"    // of package variant
	NoisePath   = symbol.Root + "noise"      // of the hooks of noise
	RecordPath  = symbol.Root + "interleave" // of the hooks that record interleavings
	symbolPath  = symbol.Root + "symbol"
)

// planted has the import paths that packages have here, and those that they have inside the
// program under test.
var planted = strings.NewReplacer(
	`"mendel/checker/`, `"`+symbol.Root,
	`"mendel/interleave/hook"`, `"`+RecordPath+`"`,
	`"mendel/fitness/noise/hook"`, `"`+NoisePath+`"`,
	`"mendel/internal/rewrite/variant"`, `"`+VariantPath+`"`,
	`"mendel/analysis/evidence/symbol"`, `"`+symbolPath+`"`,
)

//go:embed variant/*.go
var runtime embed.FS

// PlantVariant puts package variant where a program under test imports it.
func PlantVariant(overlay gotool.Overlay, goroot string) error {
	return Plant(overlay, goroot, VariantPath, runtime, "variant")
}

// PlantSymbol puts package symbol there.
func PlantSymbol(overlay gotool.Overlay, goroot string) {
	overlay[inLibrary(goroot, symbolPath+"/symbol.go")] = []byte(symbol.Source)
}

// Plant puts the package in a directory of some sources, and those below it, without tests,
// under an import path into GOROOT.
func Plant(overlay gotool.Overlay, goroot, importPath string, sources fs.FS, dir string) error {
	err := fs.WalkDir(sources, dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(sources, name)
		if err != nil {
			return err
		}
		below := strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
		overlay[inLibrary(goroot, importPath+"/"+below)] = []byte(planted.Replace(string(text)))
		return nil
	})
	if err != nil {
		return fmt.Errorf("read package %s: %w", importPath, err)
	}
	return nil
}

// Inside is a source as it is inside the program under test: with the import paths there.
func Inside(source string) string { return planted.Replace(source) }

// inLibrary is the name of a file of the standard library.
func inLibrary(goroot, name string) string {
	return filepath.Join(goroot, "src", filepath.FromSlash(name))
}
