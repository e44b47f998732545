package mendel

import (
	"embed"

	"mendel/internal/ordercopy"
)

// orderSource is package order, whose copies go into modules.
//
//go:embed order/*.go LICENSE
var orderSource embed.FS

// CopyOrder puts a copy of package order into a module, as internal/order, and reports
// whether anything has changed. The version is Mendel's, which the copy names. A copy that
// somebody has edited is left alone, which is an error.
func CopyOrder(module, version string) (changed bool, err error) {
	return ordercopy.Source{Files: orderSource, Version: version}.Write(module)
}
