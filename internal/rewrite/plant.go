package rewrite

import (
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"mendel/analysis/evidence/symbol"
	"mendel/internal/gotool"
)

// VariantPath is the import path of package variant inside the program under test.
const VariantPath = symbol.Root + "variant"

//go:embed variant/*.go
var runtime embed.FS

// PlantVariant puts package variant where a program under test imports it.
func PlantVariant(overlay gotool.Overlay, goroot string) error {
	return Plant(overlay, goroot, VariantPath, runtime, "variant")
}

// Plant puts the package in a directory of some sources, without its tests, under an import
// path into GOROOT.
func Plant(overlay gotool.Overlay, goroot, path string, sources fs.FS, dir string) error {
	entries, err := fs.ReadDir(sources, dir)
	if err != nil {
		return fmt.Errorf("read package %s: %w", path, err)
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := fs.ReadFile(sources, dir+"/"+e.Name())
		if err != nil {
			return fmt.Errorf("read package %s: %w", path, err)
		}
		overlay[filepath.Join(goroot, "src", filepath.FromSlash(path), e.Name())] = text
	}
	return nil
}
