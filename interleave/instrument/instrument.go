package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence/symbol"
	"mendel/interleave/hook"
)

// importPath is that of package hook inside the program under test.
const importPath = symbol.Root + "interleave"

// A Site is a place in the source at which something is recorded.
type Site struct {
	File      string `json:"file"` // relative to the module's directory, slash-separated
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Function  string `json:"function,omitempty"` // that is declared around it
	Operation string `json:"operation"`          // "write", "Mutex.Lock", "receive", ...
	Operand   string `json:"operand"`            // as the source has it
	Test      bool   `json:"test,omitempty"`     // in a test file
}

func (s Site) String() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// A Result is a program with hooks.
type Result struct {
	Files map[string][]byte // instrumented files by absolute name
	Hooks map[string][]byte // package hook, as files in GOROOT
	Sites []Site            // site n is Sites[n-1]
}

// Program puts hooks into a program. n says which variables are shared.
func Program(goroot string, p *analysis.Program, n *analysis.Narrowing) *Result {
	var parts []Part
	for _, pkg := range p.Packages {
		parts = append(parts, Part{pkg, p.Fset})
	}
	return Parts(goroot, parts, n.Shared)
}

// A Part is a package with the file set of its positions.
type Part struct {
	*analysis.Package
	Fset *token.FileSet
}

// Parts puts hooks into a program of which some packages may have been checked anew.
// shared says which variables are shared.
func Parts(goroot string, parts []Part, shared func(*types.Var) bool) *Result {
	res := &Result{Files: map[string][]byte{}, Hooks: hooks(goroot)}
	for _, pkg := range parts {
		name := freeName(pkg.Package)
		for _, f := range pkg.Files {
			r := &rewriter{
				tokens: pkg.Fset.File(f.AST.FileStart), file: f, info: pkg.Info, name: name, result: res,
				shared: shared,
			}
			if text := r.rewrite(); text != nil {
				res.Files[f.Name] = text
			}
		}
	}
	return res
}

// hooks is package hook under its import path inside the program.
func hooks(goroot string) map[string][]byte {
	dir := filepath.Join(goroot, "src", filepath.FromSlash(importPath))
	files := map[string][]byte{}
	for name, text := range hook.Source() {
		text = bytes.ReplaceAll(text, []byte(`"mendel/fitness/noise/hook"`), []byte(strconv.Quote(symbol.Root+"noise")))
		files[filepath.Join(dir, name)] = text
	}
	return files
}

// freeName is a name that occurs nowhere in a package.
func freeName(pkg *analysis.Package) string {
	name := "zzroot"
	for n := 2; slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool { return bytes.Contains(f.Source, []byte(name)) }); n++ {
		name = "zzroot" + strconv.Itoa(n)
	}
	return name
}

// An edit replaces length bytes at offset. Of edits at one offset those that end
// something come before those that begin something.
type edit struct {
	offset, length int
	ends           bool
	text           string
}

// before inserts what begins at a position.
func (r *rewriter) before(at token.Pos, text string) {
	r.edits = append(r.edits, edit{offset: r.tokens.Offset(at), text: text})
}

// after inserts what ends at a position.
func (r *rewriter) after(at token.Pos, text string) {
	r.edits = append(r.edits, edit{offset: r.tokens.Offset(at), text: text, ends: true})
}

// replace replaces the text between two positions. Its lines stay.
func (r *rewriter) replace(from, to token.Pos, text string) {
	offset := r.tokens.Offset(from)
	length := r.tokens.Offset(to) - offset
	lines := bytes.Count(r.file.Source[offset:offset+length], []byte("\n"))
	r.edits = append(r.edits, edit{offset: offset, length: length, text: text + strings.Repeat("\n", lines)})
}

// apply makes the edits. Those at one place stay in the order in which they were made.
func (r *rewriter) apply() []byte {
	slices.SortStableFunc(r.edits, func(a, b edit) int {
		if a.offset != b.offset {
			return a.offset - b.offset
		}
		if a.ends != b.ends && a.ends {
			return -1
		}
		if a.ends != b.ends {
			return 1
		}
		return 0
	})
	var out bytes.Buffer
	last := 0
	for _, e := range r.edits {
		out.Write(r.file.Source[last:e.offset])
		out.WriteString(e.text)
		last = e.offset + e.length
	}
	out.Write(r.file.Source[last:])
	return out.Bytes()
}

// text is the source of a node, if that is one line; "" otherwise.
func (r *rewriter) text(n ast.Node) string {
	text := r.between(n.Pos(), n.End())
	if strings.Contains(text, "\n") {
		return ""
	}
	return text
}

// between is the text between two positions.
func (r *rewriter) between(from, to token.Pos) string {
	return string(r.file.Source[r.tokens.Offset(from):r.tokens.Offset(to)])
}

// site numbers a place at which something is recorded.
func (r *rewriter) site(at ast.Node, operation string, operand ast.Node) int {
	p := r.tokens.PositionFor(at.Pos(), false)
	r.result.Sites = append(r.result.Sites, Site{
		File: r.file.Rel, Line: p.Line, Column: p.Column, Function: r.function,
		Operation: operation, Operand: shortened(r.text(operand)), Test: r.file.Test,
	})
	return len(r.result.Sites)
}

// shortened keeps an operand readable.
func shortened(text string) string {
	const longest = 40
	if len(text) > longest {
		return text[:longest-3] + "..."
	}
	return text
}

// call begins the call of a hook: "zzroot.R(12, ".
func (r *rewriter) call(function string, site int) string {
	return fmt.Sprintf("%s.%s(%d, ", r.name, function, site)
}
