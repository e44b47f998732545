package schema

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mendel/analysis"
	"mendel/internal/gotool"
	"mendel/internal/rewrite"
	"mendel/internal/rewrite/variant"
)

// A Source is the original, and how it and its mutants are rewritten. The original of a
// schema may be one of the mutants (see [Based]): those that declare things otherwise than
// the program, but all alike, fit into a schema of that.
type Source struct {
	Packages []*analysis.Package // of the original, with syntax
	// Unite rewrites the original with some files replaced (absolute name to source), as the
	// programs of these numbers need it. A *gotool.BuildError says that the result is no Go.
	Unite func(files map[string][]byte, programs []int) (*Program, error)
	// Tokens are those of a rewritten text without what only numbers them: alike texts have
	// the same.
	Tokens func(text []byte) []string
	// Shared reports whether a declaration that rewriting adds is of the schema, not of
	// its programs. nil: none is.
	Shared func(key string) bool
	// Mark matches a numbered mark in a rewritten text; its first group is the number. nil:
	// there are no marks.
	Mark     *regexp.Regexp
	MaxMarks int
}

// A Program is a rewritten program.
type Program struct {
	Packages map[string]*analysis.Package // by import path, with syntax; the original's where no file differs
	Text     func(f *analysis.File) []byte
	Marked   bool
	Marks    int // numbers are below

	mu    sync.Mutex
	known map[*analysis.File]*readFile // rewritten files that were read
}

// A Schema is several programs in one executable.
type Schema struct {
	Files   map[string][]byte // rewritten, by absolute name, that differ from those of United
	United  *Program          // the original with what all declare
	Members []*Member         // by program; nil: it does not fit
	Why     []string          // likewise, why not
	Marks   int               // of all: numbers are below

	builder *builder
}

// A schemaFile is a file some programs of a schema differ in.
type schemaFile struct {
	pkg      *analysis.Package
	original *analysis.File
	united   *analysis.File // with the additions of all programs
	name     string         // in an overlay
	text     []byte         // rewritten
	syntax   *ast.File
	decls    map[string]*spliced
	slots    map[string]*slot
	lines    int               // of the source, and of the variants so far
	imports  map[string]string // specs of those that variants need besides, by local name and path
	kept     map[string]bool   // declarations that keep imports used
}

// A slot is a function with variants.
type slot struct {
	function int // its number
	variants []*variantText
	numbers  map[string]int  // of variants, by key
	over     map[string]bool // texts of the functions that it ranges over
}

// A variantText is one text of a function.
type variantText struct {
	body     string
	first    int // line of the function, and how many it has
	lines    int
	at       string // the position of the body: line and column
	marks    []int  // numbers of its marks
	literals int    // function literals that are in no other one
	ranges   int    // loops over functions, likewise
}

// A builder puts a schema together.
type builder struct {
	src      Source
	schema   *Schema
	programs []*Program
	united   *Program
	added    map[string]*additions // by file
	files    map[string]*schemaFile
	slots    int
	marks    int

	mu    sync.Mutex // guards files once the schema is complete
	ready bool       // it is: there are no more variants
}

// New combines programs; one that does not compile is nil. The error is for what is wrong
// with all of them.
func New(src Source, programs []*Program) (*Schema, error) {
	b := &builder{
		src: src, programs: programs, added: map[string]*additions{}, files: map[string]*schemaFile{},
		schema: &Schema{Files: map[string][]byte{}, Members: make([]*Member, len(programs)), Why: make([]string, len(programs))},
	}
	b.declare()
	if len(b.fitting()) < 2 {
		return b.schema, nil // it is none
	}
	if err := b.unite(); err != nil {
		return nil, err
	}
	b.schema.United, b.marks = b.united, b.united.Marks
	for i := range programs {
		if b.schema.Why[i] == "" {
			if b.schema.Members[i], b.schema.Why[i] = b.member(programs[i]); b.schema.Why[i] != "" {
				b.schema.Members[i] = nil
			}
		}
	}
	for _, f := range b.files {
		if len(f.slots) > 0 {
			b.schema.Files[f.name] = b.assemble(f)
		}
	}
	for _, m := range b.schema.Members {
		if m != nil {
			m.closures = b.closures(m)
		}
	}
	b.schema.Marks, b.schema.builder, b.ready = b.marks, b, true
	b.programs, b.src.Unite = nil, nil // the schema is kept, they need not be
	return b.schema, nil
}

// noVariant says that a program has a text that the schema does not have.
const noVariant = "the schema has no such variant"

// Member finds a further program in a schema that was built: one that combines variants
// which are there, such as a mutant with edits of two others in two functions. nil: it
// is not all there. It is safe for concurrent use.
func (s *Schema) Member(p *Program) *Member {
	b := s.builder
	b.mu.Lock()
	defer b.mu.Unlock()
	why := b.eachChanged(p, func(original, changed *analysis.File) string {
		a, why := added(original, changed)
		if why == "" && (positioned(changed) || !a.within(b.added[original.Name])) {
			why = noVariant
		}
		return why
	})
	if why != "" {
		return nil
	}
	m, why := b.member(p)
	if why != "" {
		return nil
	}
	m.closures = b.closures(m)
	return m
}

// MaxMembers is how many programs are put into one executable at most: a variant costs a few
// milliseconds of compiling, in a small schema as in a large one. Guessed.
const MaxMembers = 128

// Blameless are the numbers of the programs that fit and are not to blame for what the
// compiler refuses; ok is false if none is to blame, so that nothing is gained without some.
func (s *Schema) Blameless(refused *gotool.BuildError) (rest []int, ok bool) {
	for i, m := range s.Members {
		if m != nil && !slices.ContainsFunc(refused.Diagnostics, func(d gotool.Diagnostic) bool { return m.Has(d.File, d.Line) }) {
			rest = append(rest, i)
		}
	}
	return rest, len(rest) < s.Fitting()
}

// Fitting is how many programs fit.
func (s *Schema) Fitting() (n int) {
	for _, m := range s.Members {
		if m != nil {
			n++
		}
	}
	return n
}

// eachChanged visits the files of a program that may differ from the original's.
func (b *builder) eachChanged(p *Program, visit func(original, changed *analysis.File) (why string)) (why string) {
	for _, pkg := range b.src.Packages {
		now := p.Packages[pkg.Path]
		if now == pkg {
			continue
		}
		for i, f := range pkg.Files {
			if why := visit(f, now.Files[i]); why != "" {
				return why
			}
		}
	}
	return ""
}

// declare collects what programs add to the declarations of files.
func (b *builder) declare() {
	for i, p := range b.programs {
		if p == nil {
			b.schema.Why[i] = "it does not compile"
			continue
		}
		own := map[string]*additions{}
		b.schema.Why[i] = b.eachChanged(p, func(original, changed *analysis.File) string {
			if bytes.Equal(original.Source, changed.Source) {
				return ""
			}
			if positioned(changed) {
				return original.Rel + " says itself where its lines are"
			}
			a, why := added(original, changed)
			if why == "" && a.hides(original.Package.Types) {
				why = "it adds a field that hides another"
			}
			own[original.Name] = a
			return why
		})
		if b.schema.Why[i] == "" && !b.merge(own) {
			b.schema.Why[i] = "another program declares something of the same name"
		}
	}
}

// positioned reports whether a file says itself where its lines are.
func positioned(f *analysis.File) bool {
	return bytes.Contains(f.Source, []byte("//line ")) || bytes.Contains(f.Source, []byte("/*line "))
}

// merge adds what one program declares to what others do; false if that does not go together.
func (b *builder) merge(own map[string]*additions) bool {
	all := map[string]*additions{}
	for name, a := range own {
		if b.declaredElsewhere(name, a) {
			return false
		}
		sum := &additions{fields: map[string][]declared{}, paths: map[string]string{}}
		if was := b.added[name]; was != nil {
			sum.merge(was)
		}
		if !sum.merge(a) {
			return false
		}
		all[name] = sum
	}
	maps.Copy(b.added, all)
	return true
}

// declaredElsewhere reports whether a name that a program adds to a file is one that others
// add to another file of the package.
func (b *builder) declaredElsewhere(name string, a *additions) bool {
	pkg := b.original(name).Package
	for _, f := range pkg.Files {
		if other := b.added[f.Name]; f.Name != name && other != nil && slices.ContainsFunc(a.names(), func(n string) bool { return slices.Contains(other.names(), n) }) {
			return true
		}
	}
	return false
}

// unite rewrites the original with what all programs add. If that is no Go, as where a
// literal has no keys, those that add something are left out.
func (b *builder) unite() (err error) {
	files := map[string][]byte{}
	for name, a := range b.added {
		if !a.empty() {
			files[name] = a.with(b.original(name))
		}
	}
	b.united, err = b.src.Unite(files, b.fitting())
	if refused := (*gotool.BuildError)(nil); len(files) == 0 || !errors.As(err, &refused) {
		return err
	}
	clear(b.added)
	for i, p := range b.programs {
		if b.schema.Why[i] == "" && b.adds(p) {
			b.schema.Why[i] = "what it declares does not go with what others do"
		}
	}
	b.united, err = b.src.Unite(nil, b.fitting())
	return err
}

// original is a file of the original.
func (b *builder) original(name string) *analysis.File {
	for _, pkg := range b.src.Packages {
		for _, f := range pkg.Files {
			if f.Name == name {
				return f
			}
		}
	}
	return nil
}

// fitting are the numbers of the programs that fit so far.
func (b *builder) fitting() (all []int) {
	for i := range b.programs {
		if b.schema.Why[i] == "" {
			all = append(all, i)
		}
	}
	return all
}

// adds reports whether a program declares anything new.
func (b *builder) adds(p *Program) bool {
	return b.eachChanged(p, func(original, changed *analysis.File) string {
		if a, _ := added(original, changed); a != nil && !a.empty() {
			return "it does"
		}
		return ""
	}) != ""
}

// fileOf is a file of the schema.
func (b *builder) fileOf(original *analysis.File) (*schemaFile, error) {
	if f := b.files[original.Name]; f != nil {
		return f, nil
	}
	pkg := b.united.Packages[original.Package.Path]
	united := pkg.Files[slices.Index(original.Package.Files, original)]
	f := &schemaFile{pkg: pkg, original: original, united: united, name: original.Name, slots: map[string]*slot{}, imports: map[string]string{}, kept: map[string]bool{}}
	f.text = b.united.Text(united)
	f.lines = 1 + bytes.Count(united.Source, []byte("\n"))
	var err error
	if f.syntax, f.decls, err = splicedDecls(f.name, f.text); err != nil {
		return nil, err
	}
	b.files[original.Name] = f
	return f, nil
}

// member finds the variants of a program.
func (b *builder) member(p *Program) (m *Member, why string) {
	m = &Member{files: map[string]*memberFile{}}
	if p.Marked {
		m.Marks = make([]int, p.Marks)
		for i := range m.Marks {
			m.Marks[i] = -1
		}
	}
	if p.Marked != b.united.Marked {
		return nil, "it has no marks"
	}
	why = b.eachChanged(p, func(original, changed *analysis.File) string {
		f, err := b.fileOf(original)
		if err != nil {
			return err.Error()
		}
		return b.vary(m, p, f, changed)
	})
	if why != "" {
		return nil, why
	}
	return m, b.unchanged(m, p)
}

// unchanged numbers the marks of the files that a program has as the original has them.
func (b *builder) unchanged(m *Member, p *Program) string {
	if m.Marks == nil {
		return ""
	}
	for _, path := range slices.Sorted(maps.Keys(p.Packages)) {
		pkg := p.Packages[path]
		if !slices.Contains(b.src.Packages, pkg) {
			continue // changed
		}
		united := b.united.Packages[path]
		for i, f := range pkg.Files {
			if !m.number(b.marked(p.Text(f)), b.marked(b.united.Text(united.Files[i]))) {
				return "marks of " + f.Rel + " differ"
			}
		}
	}
	return ""
}

// vary finds the functions of a file that a program has otherwise than the original.
func (b *builder) vary(m *Member, p *Program, f *schemaFile, changed *analysis.File) (why string) {
	read := p.read(changed)
	if read.err != nil {
		return read.err.Error()
	}
	text, syntax, decls := read.text, read.syntax, read.decls
	here := newMemberFile(f, changed)
	united, after := sourceDecls(f.united), sourceDecls(changed)
	for _, key := range slices.Sorted(maps.Keys(decls)) {
		d, own := decls[key], f.decls[key]
		source, now := united[key], after[key]
		same := source != nil && now != nil && bytes.Equal(sourceOf(f.united, source), sourceOf(changed, now))
		switch {
		case b.src.Shared != nil && b.src.Shared(key):
		case own == nil && strings.HasPrefix(key, "var _"):
			decl := withVar(string(text[d.begin:d.end]))
			if b.ready && !f.kept[decl] {
				return noVariant
			}
			f.kept[decl] = true
		case own == nil:
			return "rewritten, it declares " + key
		case d.lbrace < 0:
			if same && !own.alike(d, b.src.Tokens) {
				return "rewritten, it declares " + key + " otherwise"
			}
		case own.alike(d, b.src.Tokens) && (same || source == nil && now == nil):
			if !m.number(b.marked(text[d.begin:d.end]), b.marked(f.text[own.begin:own.end])) {
				return "marks of " + key + " differ"
			}
		case now == nil:
			return "rewritten, it declares " + key + " otherwise"
		default:
			if why := b.choose(m, f, here, key, changed, now, d, text); why != "" {
				return why
			}
		}
	}
	for _, s := range syntax.Imports {
		if !slices.ContainsFunc(f.syntax.Imports, func(o *ast.ImportSpec) bool { return o.Path.Value == s.Path.Value && localName(o) == localName(s) }) {
			spec := s.Path.Value
			if s.Name != nil {
				spec = s.Name.Name + " " + spec
			}
			name := localName(s) + " " + s.Path.Value
			if b.ready && f.imports[name] == "" {
				return noVariant
			}
			f.imports[name] = spec
		}
	}
	m.files[f.name] = here
	return ""
}

// localName is the name that an import has in the file, where that can be told: an import
// without a name has that of a package whose path hardly ever ends otherwise. "": it ends
// in what is no name.
func localName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	path, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return ""
	}
	if name := path[strings.LastIndexByte(path, '/')+1:]; token.IsIdentifier(name) {
		return name
	}
	return ""
}

// choose gives a program its variant of a function.
func (b *builder) choose(m *Member, f *schemaFile, here *memberFile, key string, changed *analysis.File, now ast.Decl, d *spliced, text []byte) (why string) {
	s := f.slots[key]
	if s == nil {
		if b.ready {
			return noVariant
		}
		if b.slots == variant.Max {
			return "there are too many functions with variants"
		}
		s = &slot{function: b.slots, numbers: map[string]int{}, over: overFunctions(f.original, key)}
		b.slots++
		f.slots[key] = s
	}
	id := string(sourceOf(changed, now)) + "\x00" + strings.Join(d.lexemes(b.src.Tokens), " ")
	first := lineOf(changed, now.(*ast.FuncDecl).Type.Func)
	own := b.marked(text[d.begin:d.end])
	n := s.numbers[id]
	if n == 0 {
		if b.ready {
			return noVariant
		}
		if b.marks+len(own) > b.src.MaxMarks {
			return "there are too many marks"
		}
		v := &variantText{first: f.lines + 1, lines: 1 + bytes.Count(sourceOf(changed, now), []byte("\n")), literals: literals(d.decl.(*ast.FuncDecl)), ranges: ranges(changed, now.(*ast.FuncDecl), s.over)}
		f.lines += v.lines
		for range own {
			v.marks = append(v.marks, b.marks)
			b.marks++
		}
		body, ok := asVariant(d, text, len(s.variants)+1)
		if !ok {
			return "it declares parameters of " + key + " again"
		}
		v.body = b.renumbered(f.name, body, v.first-first, v.marks)
		open := now.(*ast.FuncDecl).Body.Lbrace
		v.at = fmt.Sprintf("%d:%d", lineOf(changed, open)+v.first-first, columnOf(changed, open))
		s.variants = append(s.variants, v)
		n = len(s.variants)
		s.numbers[id] = n
	}
	v := s.variants[n-1]
	if !m.number(own, v.marks) {
		return "marks of " + key + " differ"
	}
	m.Choices = append(m.Choices, variant.Choice{Function: s.function, Variant: n})
	here.ranges = append(here.ranges, lineRange{v.first, v.first + v.lines, first - v.first})
	end := lineOf(f.united, sourceDecls(f.united)[key].End())
	here.ranges = append(here.ranges, lineRange{end, end + 1, lineOf(changed, now.End()) - end})
	return ""
}

// closures are the names of function literals, and of bodies of loops over functions, in
// functions with variants: the compiler counts those of all variants, and then those of the
// function as it is.
func (b *builder) closures(m *Member) (names []closureName) {
	chosen := map[int]int{}
	for _, c := range m.Choices {
		chosen[c.Function] = c.Variant
	}
	for _, f := range b.files {
		for key, s := range f.slots {
			own := f.decls[key].decl.(*ast.FuncDecl)
			before := s.variants
			if n := chosen[s.function]; n > 0 {
				before = s.variants[:n-1]
			}
			prior, ranges := 0, 0
			for _, v := range before {
				prior, ranges = prior+v.literals, ranges+v.ranges
			}
			if prior+ranges > 0 {
				names = append(names, closureNames(f.pkg, own, prior, ranges))
			}
		}
	}
	return names
}

// literals counts the function literals of a function that are in no other one.
func literals(fn *ast.FuncDecl) (n int) {
	ast.Inspect(fn, func(node ast.Node) bool {
		if _, ok := node.(*ast.FuncLit); ok {
			n++
			return false
		}
		return true
	})
	return n
}

// overFunctions are the texts of the functions that a function of the original ranges over.
// Mutants have no types, but they range over nothing else.
func overFunctions(f *analysis.File, key string) map[string]bool {
	over := map[string]bool{}
	fn, ok := sourceDecls(f)[key].(*ast.FuncDecl)
	if !ok || f.Package.Info == nil {
		return over
	}
	ast.Inspect(fn, func(node ast.Node) bool {
		if loop, ok := node.(*ast.RangeStmt); ok {
			if t := f.Package.Info.TypeOf(loop.X); t != nil {
				if _, ok := t.Underlying().(*types.Signature); ok {
					over[string(sourceOf(f, loop.X))] = true
				}
			}
		}
		return true
	})
	return over
}

// ranges counts the loops of a function over functions with these texts.
func ranges(f *analysis.File, fn *ast.FuncDecl, over map[string]bool) (n int) {
	ast.Inspect(fn, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if over[string(sourceOf(f, node.X))] {
				n++
			}
		}
		return true
	})
	return n
}

// directive is one of the rewriter that sets a position: line and column.
var directive = regexp.MustCompile(`/\*line :(\d+):(\d+)\*/`)

// renumbered is the body of a variant with its lines moved, and with the numbers that its marks
// have in the schema.
func (b *builder) renumbered(name string, body []byte, move int, numbers []int) string {
	body = directive.ReplaceAllFunc(body, func(m []byte) []byte {
		at := directive.FindSubmatch(m)
		line, err := strconv.Atoi(string(at[1]))
		if err != nil {
			return m
		}
		return fmt.Appendf(nil, "/*line :%d:%s*/", line+move, at[2])
	})
	place := regexp.MustCompile(`"` + regexp.QuoteMeta(filepath.Base(name)) + `:(\d+)`)
	body = place.ReplaceAllFunc(body, func(m []byte) []byte {
		line, err := strconv.Atoi(string(place.FindSubmatch(m)[1]))
		if err != nil {
			return m
		}
		return fmt.Appendf(nil, `"%s:%d`, filepath.Base(name), line+move)
	})
	if b.src.Mark == nil {
		return string(body)
	}
	e := rewrite.Edits{Text: body}
	for i, m := range b.src.Mark.FindAllSubmatchIndex(body, -1) {
		e.Replace(m[2], m[3], strconv.Itoa(numbers[i]))
	}
	return string(e.Apply())
}

// marked are the numbers of the marks in a text.
func (b *builder) marked(text []byte) (all []int) {
	if b.src.Mark == nil {
		return nil
	}
	for _, m := range b.src.Mark.FindAllSubmatch(text, -1) {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// assemble is the text of a file with all variants.
func (b *builder) assemble(f *schemaFile) []byte {
	var keys []string
	for key := range f.slots {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(x, y string) int { return f.decls[x].begin - f.decls[y].begin })
	alias := rewrite.FreeName(f.pkg, "zzvariant")
	var out bytes.Buffer
	at := int(f.syntax.Name.End() - f.syntax.FileStart)
	out.Write(f.text[:at])
	fmt.Fprintf(&out, "; import %s %q", alias, rewrite.VariantPath)
	for _, key := range slices.Sorted(maps.Keys(f.imports)) {
		out.WriteString("; import " + f.imports[key])
	}
	for _, key := range keys {
		d, s := f.decls[key], f.slots[key]
		begin := d.lbrace + 1
		out.Write(f.text[at:begin])
		fmt.Fprintf(&out, " switch %s.Chosen[%d] { ", alias, s.function)
		for i, v := range s.variants {
			fmt.Fprintf(&out, "case %d: /*line :%s*/%s; ", i+1, v.at, v.body)
		}
		open := sourceDecls(f.united)[key].(*ast.FuncDecl).Body.Lbrace
		fmt.Fprintf(&out, "}; /*line :%d:%d*/", lineOf(f.united, open), columnOf(f.united, open)+1)
		at = begin
	}
	out.Write(f.text[at:])
	for _, decl := range slices.Sorted(maps.Keys(f.kept)) {
		out.WriteString("\n" + decl + "\n")
	}
	return out.Bytes()
}

// columnOf is the column of a position of a file in bytes, from 1.
func columnOf(f *analysis.File, p token.Pos) int {
	offset := int(p - f.AST.FileStart)
	return offset - bytes.LastIndexByte(f.Source[:offset], '\n')
}
