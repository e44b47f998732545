package analysis

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// concurrency are the names of the standard library whose use makes a package
// concurrent, by import path; an empty list stands for all. Those of package
// runtime count or list goroutines.
var concurrency = map[string][]string{
	"sync":          nil,
	"sync/atomic":   nil,
	"time":          {"After", "AfterFunc", "NewTicker", "NewTimer", "Sleep", "Tick", "Ticker", "Timer"},
	"context":       {"AfterFunc", "WithCancel", "WithCancelCause", "WithDeadline", "WithDeadlineCause", "WithTimeout", "WithTimeoutCause"},
	"runtime":       {"Gosched", "NumGoroutine", "Stack"},
	"runtime/pprof": {"Lookup"},
}

// clock are names of package time that read the clock. A package that compares
// times has to see the same clock as its users; one that gives times to the
// network has to see the real one.
var clock = []string{"Now", "Since", "Until"}

// mayBeConcurrent is a quick look at what a package imports, or else at its text.
func mayBeConcurrent(l *packages.Package) bool {
	for path := range concurrency {
		if l.Imports[path] != nil {
			return true
		}
	}
	return slices.ContainsFunc(l.GoFiles, func(name string) bool {
		text, _ := os.ReadFile(name) // what cannot be read does not build
		return bytes.Contains(text, []byte("chan")) || bytes.Contains(text, []byte("<-")) || bytes.Contains(text, []byte("\tgo "))
	})
}

// concurrent reports whether a file starts goroutines, or uses channels, locks,
// atomics or timers.
func concurrent(file *ast.File) bool {
	imports, network := importNames(file)
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.ChanType:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.ImportSpec:
			path, _ := strconv.Unquote(n.Path.Value) // it parsed
			names, ok := concurrency[path]
			found = found || ok && names == nil
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if !ok {
				break
			}
			path := imports[id.Name]
			found = found || slices.Contains(concurrency[path], n.Sel.Name) ||
				path == "time" && !network && slices.Contains(clock, n.Sel.Name)
		}
		return !found
	})
	return found
}

// importNames are the paths of a file's imports of the standard library by the
// names that they have in it, and whether it imports package net or one below it.
func importNames(file *ast.File) (names map[string]string, network bool) {
	names = map[string]string{}
	for _, spec := range file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value) // it parsed
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
		network = network || p == "net" || path.Dir(p) == "net"
	}
	return names, network
}
