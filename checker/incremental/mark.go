package incremental

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"mendel/internal/rewrite"
)

// MaxPoints is how many points a program can have: the length of sched.Reached.
const MaxPoints = 1 << 16

// A Marker marks the files of one program. Its zero value begins.
type Marker struct {
	points Points
	index  map[string]int // of points, by path
	rest   bytes.Buffer
	why    string // why the program cannot be marked
}

// Plain takes a file that is not marked: all of it belongs to the rest of the program.
func (k *Marker) Plain(name string, text []byte) {
	fmt.Fprintf(&k.rest, "%q %x\n", name, sha256.Sum256(text))
}

// Mark marks a rewritten file. A mark assigns to an element of Reached in the package
// with the import path sched, which the file imports under the name alias. Lines stay
// what they were.
func (k *Marker) Mark(name string, text []byte, alias, sched string) ([]byte, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("mark what executions reach in %s: %w", name, err)
	}
	if slices.ContainsFunc(tree.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` }) {
		k.Plain(name, text)
		return text, nil
	}
	f := &file{Marker: k, pos: fset.File(tree.FileStart), tokens: Tokens(text), alias: alias, name: name}
	f.asks = slices.ContainsFunc(tree.Imports, func(s *ast.ImportSpec) bool { return slices.Contains(telling, s.Path.Value) })
	fmt.Fprintf(&k.rest, "%q\n", name)
	for _, d := range tree.Decls {
		f.decl(d)
	}
	at := f.pos.Offset(tree.Name.End())
	var marked bytes.Buffer
	marked.Write(text[:at])
	if len(f.marks) > 0 {
		fmt.Fprintf(&marked, "; import %s %q", alias, sched)
	}
	for _, m := range f.marks {
		marked.Write(text[at:m.at])
		fmt.Fprintf(&marked, " %s.Reached[%d] = 1; ", alias, m.point)
		at = m.at
	}
	marked.Write(text[at:])
	return marked.Bytes(), nil
}

// Points are those of all files; nil, and why, if the program is not to be marked.
func (k *Marker) Points() (p *Points, why string) {
	if k.why == "" && len(k.points.texts) > MaxPoints {
		k.why = fmt.Sprintf("it has %d statements, more than %d", len(k.points.texts), MaxPoints)
	}
	if k.why != "" {
		return nil, k.why
	}
	k.points.index = k.index
	k.points.rest = sha256.Sum256(k.rest.Bytes())
	return &k.points, ""
}

// A file is one that is being marked.
type file struct {
	*Marker
	name   string
	alias  string
	pos    *token.File
	tokens []Token
	asks   bool              // it imports one of telling
	marks  []mark            // by ascending offset
	temps  map[string]string // canonical names of temporary variables, of one function
	firsts map[string]int    // how many of them are first used at a point, by its path
}

// A mark is where a point is noted.
type mark struct{ at, point int }

// A Token is one of a text, and its offset there.
type Token struct {
	at    int
	Text  string
	ident bool
}

// Tokens are those of a text, without comments and the semicolons that lines end with.
func Tokens(text []byte) (all []Token) {
	rewrite.EachToken(text, func(offset int, kind token.Token, lexeme string) {
		all = append(all, Token{offset, lexeme, kind == token.IDENT})
	})
	return all
}

// decl handles a declaration of the file.
func (f *file) decl(d ast.Decl) {
	f.temps, f.firsts = map[string]string{}, map[string]int{}
	fn, ok := d.(*ast.FuncDecl)
	if !ok || fn.Body == nil || directed(fn) {
		f.outside(d.Pos(), d.End())
		return
	}
	f.outside(fn.Pos(), fn.Body.Lbrace)
	path := f.name + ":" + fn.Name.Name
	if fn.Recv != nil && len(fn.Recv.List) > 0 {
		t := fn.Recv.List[0].Type
		path = f.name + ":" + f.text(f.offset(t.Pos()), f.offset(t.End()), "") + "." + fn.Name.Name
	}
	for n := 2; f.index[path+".0"] > 0; n++ { // several functions may be named init or _
		path += "#" + strconv.Itoa(n)
	}
	if jumps(fn) {
		f.point(f.offset(fn.Body.Lbrace)+1, path+".0", f.text(f.offset(fn.Body.Lbrace), f.offset(fn.Body.End()), path))
		return
	}
	f.list(path, fn.Body.List, f.offset(fn.Body.Lbrace)+1)
}

// directed reports whether the compiler is told how to treat a function: then it may not
// bear marks.
func directed(fn *ast.FuncDecl) bool {
	return fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
}

// jumps reports whether a function has a goto.
func jumps(fn *ast.FuncDecl) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.GOTO
		return !found
	})
	return found
}

func (f *file) offset(p token.Pos) int { return f.pos.Offset(p) }

// outside adds a stretch to the rest of the program.
func (f *file) outside(from, to token.Pos) {
	f.rest.WriteString(f.text(f.offset(from), f.offset(to), ""))
	f.rest.WriteByte('\n')
}

// telling are packages that can tell a program positions in its source, which differ where
// nothing else does, and positional the names by which they are asked to.
var telling = []string{`"runtime"`, `"runtime/debug"`, `"log"`, `"log/slog"`}

var positional = []string{"Caller", "Callers", "Stack", "PrintStack", "FuncForPC", "Lshortfile", "Llongfile", "AddSource"}

// text is that of a stretch, as it is compared. path is the point that it belongs to:
// temporary variables are named by where they are first used.
func (f *file) text(from, to int, path string) string {
	var b strings.Builder
	i, _ := slices.BinarySearchFunc(f.tokens, from, func(l Token, at int) int { return l.at - at })
	for ; i < len(f.tokens) && f.tokens[i].at < to; i++ {
		l := f.tokens[i]
		switch {
		case l.ident && Temporary(l.Text):
			if f.temps[l.Text] == "" {
				f.temps[l.Text] = fmt.Sprintf("<%s %d>", path, f.firsts[path])
				f.firsts[path]++
			}
			l.Text = f.temps[l.Text]
		case f.asks && l.ident && slices.Contains(positional, l.Text):
			f.why = "it asks for positions in its source (" + l.Text + ")"
		case i > 1 && l.Text[0] == '"' && f.tokens[i-1].Text == "(" && f.tokens[i-2].Text == "GoAt":
			l.Text = `"position"`
		}
		b.WriteString(l.Text)
		b.WriteByte(' ')
	}
	return b.String()
}

// Temporary reports whether an identifier is one of the rewriter's variables, which it
// numbers.
func Temporary(name string) bool {
	digits, ok := strings.CutPrefix(name, "zz")
	return ok && strings.Trim(digits, "0123456789") == "" && digits != ""
}

// point adds a point, and a mark at an offset.
func (f *file) point(at int, path, text string) {
	if f.index == nil {
		f.index = map[string]int{}
	}
	sum := sha256.Sum256([]byte(text))
	f.marks = append(f.marks, mark{at, len(f.points.texts)})
	f.points.paths = append(f.points.paths, path)
	f.points.texts = append(f.points.texts, [16]byte(sum[:16]))
	f.index[path] = len(f.points.texts)
}

// list handles a list of statements that begins at an offset.
func (f *file) list(path string, list []ast.Stmt, begin int) {
	if len(list) == 0 {
		f.point(begin, path+".0", "end")
		return
	}
	for i, s := range list {
		f.stmt(path+"."+strconv.Itoa(i), s, i == len(list)-1)
	}
}

// A nested list is part of a statement.
type nested struct {
	list     []ast.Stmt
	from, to int
}

// stmt handles a statement and the lists inside it.
func (f *file) stmt(path string, s ast.Stmt, last bool) {
	inner := f.nested(s)
	var text strings.Builder
	at := f.offset(s.Pos())
	for _, in := range inner {
		text.WriteString(f.text(at, in.from, path))
		text.WriteString("... ")
		at = in.to
	}
	text.WriteString(f.text(at, f.offset(s.End()), path))
	if last {
		text.WriteString("end")
	}
	f.point(f.offset(s.Pos()), path, text.String())
	for i, in := range inner {
		f.list(path+"/"+strconv.Itoa(i), in.list, in.from)
	}
}

// nested are the outermost lists inside a statement, in their order.
func (f *file) nested(s ast.Stmt) (all []nested) {
	clauses := map[*ast.BlockStmt]bool{} // that hold clauses, not statements
	var visit func(n ast.Node) bool
	clause := func(list []ast.Stmt, colon, end token.Pos) bool {
		all = append(all, nested{list, f.offset(colon) + 1, f.offset(end)})
		return false
	}
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			clauses[n.Body] = true
		case *ast.TypeSwitchStmt:
			clauses[n.Body] = true
		case *ast.SelectStmt:
			clauses[n.Body] = true
		case *ast.CaseClause:
			for _, e := range n.List {
				ast.Inspect(e, visit)
			}
			return clause(n.Body, n.Colon, n.End())
		case *ast.CommClause:
			if n.Comm != nil {
				ast.Inspect(n.Comm, visit)
			}
			return clause(n.Body, n.Colon, n.End())
		case *ast.BlockStmt:
			if !clauses[n] {
				all = append(all, nested{n.List, f.offset(n.Lbrace) + 1, f.offset(n.Rbrace)})
				return false
			}
		}
		return true
	}
	ast.Inspect(s, visit)
	return all
}
