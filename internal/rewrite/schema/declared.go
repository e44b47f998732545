package schema

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mendel/analysis"
	"mendel/internal/rewrite"
)

// additions are what a program's file declares that the original does not: fields and
// package variables that edits need. A file with the additions of several programs is as
// good for each of them as its own.
type additions struct {
	fields map[string][]declared // by the name of the struct type
	vars   []declared
	funcs  []addedFunc
	paths  map[string]string // of the imports that these may need, by name
}

// An addedFunc is a function or method that the original does not have.
type addedFunc struct{ key, signature, source string }

// A declared is a field or a declaration: its names, and its text in one line.
type declared struct{ name, text string }

func (a *additions) empty() bool { return len(a.fields) == 0 && len(a.vars) == 0 && len(a.funcs) == 0 }

// names are the keys of the variables and functions.
func (a *additions) names() (all []string) {
	for _, v := range a.vars {
		all = append(all, v.name)
	}
	for _, f := range a.funcs {
		all = append(all, f.key)
	}
	return all
}

// added finds what a changed file declares besides what the original does; why is what
// differs in declarations otherwise.
func added(original, changed *analysis.File) (a *additions, why string) {
	a = &additions{fields: map[string][]declared{}, paths: map[string]string{}}
	before, after := sourceDecls(original), sourceDecls(changed)
	for key := range before {
		if after[key] == nil {
			return nil, "it declares no " + key
		}
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		was, is := before[key], after[key]
		switch d := is.(type) {
		case *ast.FuncDecl:
			if was == nil {
				if !unknown(original, d) {
					return nil, "it declares " + key
				}
				a.funcs = append(a.funcs, addedFunc{key, string(head(changed, d)), string(sourceOf(changed, d))})
				continue
			}
			if !sameSignature(original, was.(*ast.FuncDecl), changed, d) {
				return nil, "it declares " + key + " otherwise"
			}
		case *ast.GenDecl:
			if why := a.declares(key, original, was, changed, d); why != "" {
				return nil, why
			}
		}
	}
	for _, s := range changed.AST.Imports {
		if path, err := strconv.Unquote(s.Path.Value); err == nil {
			name := path[strings.LastIndexByte(path, '/')+1:]
			if s.Name != nil {
				name = s.Name.Name
			}
			a.paths[name] = path
		}
	}
	return a, ""
}

// declares compares a declaration that is no function's with the original's, if that has
// it, and notes what is new in it.
func (a *additions) declares(key string, original *analysis.File, was ast.Decl, changed *analysis.File, is *ast.GenDecl) (why string) {
	otherwise := "it declares " + key + " otherwise"
	switch {
	case was == nil && is.Tok == token.VAR && !is.Lparen.IsValid() && isLine(changed, is):
		a.vars = append(a.vars, declared{key, withVar(oneLine(changed, is))})
		return ""
	case was == nil:
		return otherwise
	case sameTokens(sourceOf(original, was), sourceOf(changed, is)):
		return ""
	case is.Tok != token.TYPE:
		return otherwise
	}
	old := was.(*ast.GenDecl)
	if len(old.Specs) != len(is.Specs) {
		return otherwise
	}
	for i, s := range is.Specs {
		t, before := s.(*ast.TypeSpec), old.Specs[i].(*ast.TypeSpec)
		if sameTokens(sourceOf(original, before), sourceOf(changed, t)) {
			continue
		}
		fields, ok := newFields(original, before, changed, t)
		if !ok {
			return otherwise
		}
		a.fields[t.Name.Name] = fields
	}
	return ""
}

// newFields are the fields of a struct type that the original does not have; false if the types
// differ by more.
func newFields(original *analysis.File, was *ast.TypeSpec, changed *analysis.File, is *ast.TypeSpec) ([]declared, bool) {
	old, ok := was.Type.(*ast.StructType)
	now, ok2 := is.Type.(*ast.StructType)
	if !ok || !ok2 || was.Name.Name != is.Name.Name || !sameTokens(sourceOf(original, was)[:offsetIn(was, old.Fields.Opening)], sourceOf(changed, is)[:offsetIn(is, now.Fields.Opening)]) {
		return nil, false
	}
	var fields []declared
	rest := old.Fields.List
	for _, f := range now.Fields.List {
		switch {
		case len(rest) > 0 && sameTokens(sourceOf(original, rest[0]), sourceOf(changed, f)):
			rest = rest[1:]
		case len(f.Names) == 1 && isLine(changed, f):
			fields = append(fields, declared{f.Names[0].Name, oneLine(changed, f)})
		default:
			return nil, false // an embedded field brings methods
		}
	}
	return fields, len(rest) == 0
}

// offsetIn is the offset of a position in the source of a node.
func offsetIn(n ast.Node, p token.Pos) int { return int(p - n.Pos()) }

// sourceDecls are the declarations of a file but its imports, by key.
func sourceDecls(f *analysis.File) map[string]ast.Decl {
	decls := map[string]ast.Decl{}
	for _, d := range eachDecl(f.AST) {
		key := declKey(d)
		if key == "" {
			continue
		}
		base := key
		for n := 2; decls[key] != nil; n++ { // several functions may be named init or _
			key = base + "#" + strconv.Itoa(n)
		}
		decls[key] = d
	}
	return decls
}

// eachDecl are the declarations of a file, with one for each line of a group of variables: an
// edit may add to the group.
func eachDecl(f *ast.File) (all []ast.Decl) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR || !g.Lparen.IsValid() {
			all = append(all, d)
			continue
		}
		for _, s := range g.Specs {
			all = append(all, &ast.GenDecl{TokPos: s.Pos(), Tok: token.VAR, Specs: []ast.Spec{s}})
		}
	}
	return all
}

// withVar is the text of a variable's declaration, which in a group has no keyword.
func withVar(text string) string { return "var " + strings.TrimPrefix(text, "var ") }

// declKey names a declaration; "" for imports.
func declKey(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return "func " + analysis.FuncName(d)
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return ""
		}
		var names []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names = append(names, id.Name)
				}
			}
		}
		return d.Tok.String() + " " + strings.Join(names, " ")
	}
	return "bad"
}

// sameSignature reports whether two functions look alike from outside.
func sameSignature(original *analysis.File, was *ast.FuncDecl, changed *analysis.File, is *ast.FuncDecl) bool {
	return (was.Body == nil) == (is.Body == nil) && sameTokens(head(original, was), head(changed, is))
}

// head is the source of a function before its body.
func head(f *analysis.File, d *ast.FuncDecl) []byte {
	text := sourceOf(f, d)
	if d.Body != nil {
		text = text[:offsetIn(d, d.Body.Lbrace)]
	}
	return text[d.Type.Func-d.Pos():]
}

// unknown reports whether the name of a function means nothing in the package: not exported,
// and in none of its files. So it is a method of no interface.
func unknown(f *analysis.File, d *ast.FuncDecl) bool {
	return d.Body != nil && !d.Name.IsExported() && d.Name.Name != "init" && d.Name.Name != "_" &&
		!slices.ContainsFunc(f.Package.Files, func(g *analysis.File) bool { return bytes.Contains(g.Source, []byte(d.Name.Name)) })
}

// sourceOf is the source of a node of a file.
func sourceOf(f *analysis.File, n ast.Node) []byte {
	return f.Source[n.Pos()-f.AST.FileStart : n.End()-f.AST.FileStart]
}

// lineOf is the line of a position of a file, from 1.
func lineOf(f *analysis.File, p token.Pos) int {
	return 1 + bytes.Count(f.Source[:p-f.AST.FileStart], []byte("\n"))
}

// isLine reports whether a node stands in one line.
func isLine(f *analysis.File, n ast.Node) bool { return !bytes.ContainsRune(sourceOf(f, n), '\n') }

// oneLine is the source of such a node without comments.
func oneLine(f *analysis.File, n ast.Node) string {
	return strings.Join(rewrite.Lexemes(sourceOf(f, n)), " ")
}

func sameTokens(a, b []byte) bool {
	return bytes.Equal(a, b) || slices.Equal(rewrite.Lexemes(a), rewrite.Lexemes(b))
}

// merge adds other additions; false if both declare something of the same name otherwise,
// and then nothing is added.
func (a *additions) merge(b *additions) bool {
	if !agree(a.vars, b.vars) {
		return false
	}
	var funcs []addedFunc
	for _, f := range b.funcs {
		i := slices.IndexFunc(a.funcs, func(g addedFunc) bool { return f.key == g.key })
		switch {
		case i < 0:
			funcs = append(funcs, f) // others with this signature have a variant of it
		case !sameTokens([]byte(f.signature), []byte(a.funcs[i].signature)):
			return false
		}
	}
	for name, fields := range b.fields {
		if !agree(a.fields[name], fields) {
			return false
		}
	}
	for name, path := range b.paths {
		if was := a.paths[name]; was != "" && was != path {
			return false
		}
	}
	maps.Copy(a.paths, b.paths)
	a.vars = union(a.vars, b.vars)
	a.funcs = slices.Concat(a.funcs, funcs)
	for name, fields := range b.fields {
		a.fields[name] = union(a.fields[name], fields)
	}
	return true
}

// within reports whether all of a is in b, too; nil has nothing.
func (a *additions) within(b *additions) bool {
	if a.empty() {
		return true
	}
	if b == nil {
		return false
	}
	for name, fields := range a.fields {
		if len(union(b.fields[name], fields)) > len(b.fields[name]) {
			return false
		}
	}
	return len(union(b.vars, a.vars)) == len(b.vars) && !slices.ContainsFunc(a.funcs, func(f addedFunc) bool {
		return !slices.ContainsFunc(b.funcs, func(g addedFunc) bool {
			return f.key == g.key && sameTokens([]byte(f.signature), []byte(g.signature))
		})
	})
}

func agree(a, b []declared) bool {
	for _, x := range a {
		for _, y := range b {
			if x.name == y.name && x.text != y.text {
				return false
			}
		}
	}
	return true
}

func union(a, b []declared) []declared {
	for _, d := range b {
		if !slices.Contains(a, d) {
			a = append(slices.Clip(a), d)
		}
	}
	return a
}

// with is the source of a file with additions. Its lines stay where they are.
func (a *additions) with(f *analysis.File) []byte {
	parts := map[int]string{}
	at := func(p token.Pos) int { return int(p - f.AST.FileStart) }
	text := ""
	for _, d := range f.AST.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			t := s.(*ast.TypeSpec)
			for _, field := range a.fields[t.Name.Name] {
				end := at(t.Type.(*ast.StructType).Fields.Closing)
				parts[end] += "; " + field.text
				text += " " + field.text
			}
		}
	}
	tail := ""
	for _, v := range a.vars {
		tail += "\n" + v.text
		text += " " + v.text
	}
	for _, fn := range a.funcs {
		tail += "\n" + fn.source
		text += " " + strings.Join(rewrite.Lexemes([]byte(fn.source)), " ")
	}
	parts[at(f.AST.Name.End())] = a.imports(f, text)
	var b bytes.Buffer
	last := 0
	for _, offset := range slices.Sorted(maps.Keys(parts)) {
		added := parts[offset]
		before := bytes.TrimRight(f.Source[last:offset], " \t")
		if strings.HasPrefix(added, "; ") && (bytes.HasSuffix(before, []byte("\n")) || bytes.HasSuffix(before, []byte("{"))) {
			added = added[1:] // a semicolon may stand only behind a field
		}
		b.Write(f.Source[last:offset])
		b.WriteString(added)
		last = offset
	}
	b.Write(f.Source[last:])
	b.WriteString(tail + "\n")
	return b.Bytes()
}

// imports are the imports that a text needs and the file does not have.
func (a *additions) imports(f *analysis.File, text string) string {
	have := map[string]bool{}
	for _, s := range f.AST.Imports {
		have[s.Path.Value] = true
	}
	added := ""
	for _, name := range slices.Sorted(maps.Keys(a.paths)) {
		path := strconv.Quote(a.paths[name])
		if !have[path] && strings.Contains(" "+text, " "+name+" . ") {
			added += fmt.Sprintf("; import %s %s", name, path)
		}
	}
	return added
}

// hides reports whether a field of one of the types would hide what an embedded field
// promotes, in a package of the original.
func (a *additions) hides(pkg *types.Package) bool {
	for name, fields := range a.fields {
		obj := pkg.Scope().Lookup(name)
		if obj == nil {
			return true
		}
		for _, f := range fields {
			if o, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, f.name); o != nil {
				return true
			}
		}
	}
	return false
}

// A spliced is a declaration of a rewritten file.
type spliced struct {
	decl       ast.Decl
	begin, end int // offsets
	lbrace     int // of a function's body; -1: it has none
	rbrace     int
	text       []byte

	lexed  sync.Once
	tokens []string
}

// alike reports whether two rewritten declarations differ at most in what numbers them.
func (s *spliced) alike(other *spliced, tokens func(text []byte) []string) bool {
	return bytes.Equal(s.text, other.text) || slices.Equal(s.lexemes(tokens), other.lexemes(tokens))
}

// lexemes are its tokens as alike texts have them. They are found once: a declaration is
// compared with those of all programs.
func (s *spliced) lexemes(tokens func(text []byte) []string) []string {
	s.lexed.Do(func() { s.tokens = tokens(s.text) })
	return s.tokens
}

// A readFile is a rewritten file as it was read.
type readFile struct {
	text   []byte
	syntax *ast.File
	decls  map[string]*spliced
	err    error
}

// read reads a rewritten file once: a program is compared with several schemata.
func (p *Program) read(f *analysis.File) *readFile {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.known[f]; known != nil {
		return known
	}
	r := &readFile{text: p.Text(f)}
	r.syntax, r.decls, r.err = splicedDecls(f.Name, r.text)
	if p.known == nil {
		p.known = map[*analysis.File]*readFile{}
	}
	p.known[f] = r
	return r
}

// splicedDecls are the declarations of a rewritten file in their order, and their keys.
func splicedDecls(name string, text []byte) (file *ast.File, all map[string]*spliced, err error) {
	fset := token.NewFileSet()
	file, err = parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, nil, fmt.Errorf("read the rewritten %s: %w", name, err)
	}
	offset := func(p token.Pos) int { return int(p - file.FileStart) }
	all = map[string]*spliced{}
	for _, d := range eachDecl(file) {
		key := declKey(d)
		if key == "" {
			continue
		}
		base := key
		for n := 2; all[key] != nil; n++ {
			key = base + "#" + strconv.Itoa(n)
		}
		s := &spliced{decl: d, begin: offset(d.Pos()), end: offset(d.End()), lbrace: -1, rbrace: -1}
		s.text = text[s.begin:s.end]
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			s.lbrace, s.rbrace = offset(fn.Body.Lbrace), offset(fn.Body.Rbrace)
		}
		all[key] = s
	}
	return file, all, nil
}
