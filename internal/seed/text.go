package seed

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"mendel/analysis"
)

// A change replaces the bytes from one offset of a file to another.
type change struct {
	from, to int
	text     string
}

// apply makes changes of a file. It removes imports that are not needed any
// more, and formats the file if it was formatted before. What does not parse,
// or changes that overlap, are an error.
func apply(f *analysis.File, changes []change) ([]byte, error) {
	src, err := splice(f.Source, changes)
	if err != nil {
		return nil, err
	}
	if src, err = dropImports(f.Source, src); err != nil {
		return nil, err
	}
	if !formatted(f.Source) {
		return src, nil
	}
	if src, err = format.Source(src); err != nil {
		return nil, fmt.Errorf("format the faulty source: %w", err)
	}
	return src, nil
}

func formatted(src []byte) bool {
	out, err := format.Source(src)
	return err == nil && bytes.Equal(out, src)
}

// splice makes changes of a text. Those at one offset are made in their order.
func splice(src []byte, changes []change) ([]byte, error) {
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	at := 0
	for _, c := range changes {
		if c.from < at || c.to < c.from || c.to > len(src) {
			return nil, fmt.Errorf("changes overlap at offset %d", c.from)
		}
		out = append(append(out, src[at:c.from]...), c.text...)
		at = c.to
	}
	return append(out, src[at:]...), nil
}

// dropImports removes the imports that a source used before and does not now.
func dropImports(before, src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	old, err := parser.ParseFile(fset, "", before, 0)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("parse the faulty source: %w", err)
	}
	var unused []change
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		var gone []change
		for _, spec := range d.Specs {
			s := spec.(*ast.ImportSpec)
			path, err := strconv.Unquote(s.Path.Value)
			if err == nil && astutil.UsesImport(old, path) && !astutil.UsesImport(file, path) {
				gone = append(gone, lineOf(src, fset.Position(s.Pos()).Offset, fset.Position(s.End()).Offset))
			}
		}
		if len(gone) == len(d.Specs) && len(gone) > 0 {
			gone = []change{lineOf(src, fset.Position(d.Pos()).Offset, fset.Position(d.End()).Offset)}
		}
		unused = append(unused, gone...)
	}
	return splice(src, unused)
}

// lineOf widens a stretch of a source to whole lines if nothing but a comment
// shares them with it.
func lineOf(src []byte, from, to int) change {
	begin := bytes.LastIndexByte(src[:from], '\n') + 1
	end := len(src)
	if n := bytes.IndexByte(src[to:], '\n'); n >= 0 {
		end = to + n + 1
	}
	before := strings.TrimSpace(string(src[begin:from]))
	after := strings.TrimSpace(string(src[to:end]))
	if before == "" && (after == "" || strings.HasPrefix(after, "//")) {
		return change{from: begin, to: end}
	}
	if strings.HasPrefix(after, ";") { // one of several statements on a line
		return change{from: from, to: to + bytes.IndexByte(src[to:end], ';') + 1}
	}
	return change{from: from, to: to}
}

// offset is that of a position in the function's file.
func (f *function) offset(p token.Pos) int {
	return f.Program.Fset.PositionFor(p, false).Offset
}

// line is that of a position in the function's file.
func (f *function) line(p token.Pos) int {
	return f.Program.Fset.PositionFor(p, false).Line
}

// code is the source of a node.
func (f *function) code(n ast.Node) string {
	return string(f.File.Source[f.offset(n.Pos()):f.offset(n.End())])
}

// remove takes out a statement, with its line if that has nothing else.
func (f *function) remove(n ast.Node) change {
	return lineOf(f.File.Source, f.offset(n.Pos()), f.offset(n.End()))
}

// replace puts another text in the place of a node.
func (f *function) replace(n ast.Node, text string) change {
	return change{from: f.offset(n.Pos()), to: f.offset(n.End()), text: text}
}

// before puts statements before another one.
func (f *function) before(s ast.Stmt, text string) change {
	at := f.offset(s.Pos())
	indent, alone := f.indent(at)
	if !alone {
		return change{from: at, to: at, text: strings.ReplaceAll(text, "\n", "; ") + "; "}
	}
	return change{from: at, to: at, text: strings.ReplaceAll(text, "\n", "\n"+indent) + "\n" + indent}
}

// after puts statements after another one.
func (f *function) after(s ast.Stmt, text string) change {
	src, at := f.File.Source, f.offset(s.End())
	end := len(src)
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		end = at + n
	}
	rest := strings.TrimSpace(string(src[at:end]))
	if rest != "" && !strings.HasPrefix(rest, "//") {
		return change{from: at, to: at, text: "; " + strings.ReplaceAll(text, "\n", "; ")}
	}
	indent, _ := f.indent(f.offset(s.Pos()))
	return change{from: end, to: end, text: "\n" + indent + strings.ReplaceAll(text, "\n", "\n"+indent)}
}

// indent is the white space before an offset, and whether nothing else is
// before it on its line.
func (f *function) indent(at int) (string, bool) {
	src := f.File.Source
	text := string(src[bytes.LastIndexByte(src[:at], '\n')+1 : at])
	space := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	return space, space == text
}
