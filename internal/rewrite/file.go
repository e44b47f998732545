package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// A File is a source file that is rewritten within its lines. Positions are those of its
// syntax.
type File struct {
	Edits
	syntax *ast.File
	tokens *token.File
}

// NewFile is a file as it stands.
func NewFile(fset *token.FileSet, syntax *ast.File, source []byte) *File {
	return &File{Edits: Edits{Text: source}, syntax: syntax, tokens: fset.File(syntax.FileStart)}
}

// Position is a position in the file, without regard to line directives.
func (f *File) Position(at token.Pos) token.Position { return f.tokens.PositionFor(at, false) }

// Between is the source between two positions.
func (f *File) Between(from, to token.Pos) string {
	return string(f.Text[f.tokens.Offset(from):f.tokens.Offset(to)])
}

// Line is the source of a node, if that is one line; "" otherwise.
func (f *File) Line(n ast.Node) string {
	text := f.Between(n.Pos(), n.End())
	if strings.Contains(text, "\n") {
		return ""
	}
	return text
}

// Insert inserts text at a position.
func (f *File) Insert(at token.Pos, text string) { f.Put(at, at, text) }

// Put replaces the source between two positions. Its line breaks stay.
func (f *File) Put(from, to token.Pos, text string) {
	lines := strings.Count(f.Between(from, to), "\n")
	f.Replace(f.tokens.Offset(from), f.tokens.Offset(to), text+strings.Repeat("\n", lines))
}

// Around puts text before and after the source between two positions.
func (f *File) Around(from, to token.Pos, before, after string) {
	f.Open(from, to, before)
	f.Close(from, to, after)
}

// Open is Around with nothing after it, Close with nothing before it.
func (f *File) Open(from, to token.Pos, before string) {
	f.Begin(f.tokens.Offset(from), f.tokens.Offset(to), before)
}

// Close is the counterpart of Open.
func (f *File) Close(from, to token.Pos, after string) {
	f.End(f.tokens.Offset(to), f.tokens.Offset(from), after)
}

// IsAt reports whether a replacement begins at a position.
func (f *File) IsAt(at token.Pos) bool { return f.At(f.tokens.Offset(at)) }

// Import imports a package under a name.
func (f *File) Import(name, path string) {
	f.Insert(f.syntax.Name.End(), fmt.Sprintf("; import %s %q", name, path))
}
