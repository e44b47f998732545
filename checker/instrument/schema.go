package instrument

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/checker/incremental"
	"mendel/checker/variant"
	"mendel/internal/gotool"
)

// A Schema is several programs in one executable (mutant schemata: Untch, Offutt and
// Harrold, 1993): each function that some program changes stands there once as it is, and
// once for each other text. Which one runs is chosen when the process starts, see
// package variant.
//
//	func (a *Account) Deposit(n int) { switch zzvariant.Chosen[0] { case 1: /*line :71:34*/{
//		... // as the first program has it
//	; return }; }; /*line :36:35*/
//		... // as it is
//	}
//
// The variants are in the function itself, so that code which looks at its own frames sees
// what it sees in a build of the program alone. Lines of variants follow those of the file,
// as if they stood at its end: so each line is that of one declaration, and [Member] makes of it
// the line that it has in its program.
//
// Fields and package variables that programs add are declared for all of them. So
// a program that prints a structure, or asks for its size, sees fields that edits of others have added.
// And the compiler defers calls in another way where there are many in a function: one
// that is made at a return statement then has the line of the function's end.
type Schema struct {
	Overlay gotool.Overlay
	Members []*Member // by program; nil: it does not fit
	Why     []string  // likewise, why not
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
	lines    int             // of the source, and of the variants so far
	imports  map[string]bool // specs of those that variants need besides
	kept     map[string]bool // declarations that keep imports used
}

// A slot is a function with variants.
type slot struct {
	function int // its number
	variants []*variantText
	numbers  map[string]int // of variants, by key
}

// A variantText is one text of a function.
type variantText struct {
	body     string
	first    int // line of the function, and how many it has
	lines    int
	at       string // the position of the body: line and column
	marks    []int  // numbers of its points
	literals int    // function literals that are in no other one
}

// A schemaBuilder puts a schema together.
type schemaBuilder struct {
	in       *Instrumenter
	schema   *Schema
	programs []*Rewritten
	united   *Rewritten
	added    map[string]*additions // by file
	files    map[string]*schemaFile
	slots    int
	points   int
}

// Schema combines programs. The error is for what is wrong with all of them.
func (in *Instrumenter) Schema(programs []*Rewritten) (*Schema, error) {
	b := &schemaBuilder{
		in: in, programs: programs, added: map[string]*additions{}, files: map[string]*schemaFile{},
		schema: &Schema{Members: make([]*Member, len(programs)), Why: make([]string, len(programs))},
	}
	b.declare()
	if err := b.unite(); err != nil {
		return nil, err
	}
	if b.united.Points != nil {
		b.points = b.united.Points.Len()
	}
	for i := range programs {
		if b.schema.Why[i] == "" {
			if b.schema.Members[i], b.schema.Why[i] = b.member(programs[i]); b.schema.Why[i] != "" {
				b.schema.Members[i] = nil
			}
		}
	}
	b.schema.Overlay = maps.Clone(b.united.Overlay)
	for _, f := range b.files {
		if len(f.slots) > 0 {
			b.schema.Overlay[f.name] = b.assemble(f)
		}
	}
	for _, m := range b.schema.Members {
		if m == nil {
			continue
		}
		m.closures = b.closures(m)
		if b.united.Points != nil {
			m.Points = m.Points.Renumbered(m.numbers, b.points)
		}
	}
	return b.schema, nil
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
func (in *Instrumenter) eachChanged(p *Rewritten, visit func(original, changed *analysis.File) (why string)) (why string) {
	for _, pkg := range in.program.Packages {
		now := p.packages[pkg.Path]
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
func (b *schemaBuilder) declare() {
	for i, p := range b.programs {
		if p == nil {
			b.schema.Why[i] = "it does not compile"
			continue
		}
		own := map[string]*additions{}
		b.schema.Why[i] = b.in.eachChanged(p, func(original, changed *analysis.File) string {
			if bytes.Equal(original.Source, changed.Source) {
				return ""
			}
			if bytes.Contains(changed.Source, []byte("//line ")) || bytes.Contains(changed.Source, []byte("/*line ")) {
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

// merge adds what one program declares to what others do; false if that does not go together.
func (b *schemaBuilder) merge(own map[string]*additions) bool {
	all := map[string]*additions{}
	for name, a := range own {
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

// unite rewrites the original with what all programs add. If that is no Go, as where a
// literal has no keys, those that add something are left out.
func (b *schemaBuilder) unite() (err error) {
	others, files := b.others()
	for name, a := range b.added {
		if !a.empty() {
			files[name] = a.with(b.in.program.File(name))
		}
	}
	b.united, err = b.in.rewriteWith(files, others)
	if refused := (*gotool.BuildError)(nil); len(files) == 0 || !errors.As(err, &refused) {
		return err
	}
	clear(b.added)
	for i, p := range b.programs {
		if b.schema.Why[i] == "" && b.adds(p) {
			b.schema.Why[i] = "what it declares does not go with what others do"
		}
	}
	others, files = b.others()
	b.united, err = b.in.rewriteWith(files, others)
	return err
}

// others are what is known of the programs that write package variables which the original
// does not write, and the files of the packages that have these: the variables have to be
// restored between executions.
func (b *schemaBuilder) others() (others []*facts, files map[string][]byte) {
	files = map[string][]byte{}
	for i, p := range b.programs {
		if b.schema.Why[i] != "" {
			continue
		}
		for path, own := range p.facts {
			known := b.in.facts[path]
			for v := range own.globals {
				if !known.globals[v] {
					others = append(others, own)
					b.rewritten(path, files)
					break
				}
			}
		}
	}
	return others, files
}

// rewritten adds the files of a package as they are.
func (b *schemaBuilder) rewritten(path string, files map[string][]byte) {
	for _, pkg := range b.in.program.Packages {
		if pkg.Path == path {
			for _, f := range pkg.Files {
				files[f.Name] = f.Source
			}
		}
	}
}

// adds reports whether a program declares anything new.
func (b *schemaBuilder) adds(p *Rewritten) bool {
	return b.in.eachChanged(p, func(original, changed *analysis.File) string {
		if a, _ := added(original, changed); a != nil && !a.empty() {
			return "it does"
		}
		return ""
	}) != ""
}

// fileOf is a file of the schema.
func (b *schemaBuilder) fileOf(original *analysis.File) (*schemaFile, error) {
	if f := b.files[original.Name]; f != nil {
		return f, nil
	}
	pkg := b.united.packages[original.Package.Path]
	united := pkg.Files[slices.Index(original.Package.Files, original)]
	f := &schemaFile{pkg: pkg, original: original, united: united, name: original.Name, slots: map[string]*slot{}, imports: map[string]bool{}, kept: map[string]bool{}}
	f.text = b.united.textOf(united, f.name)
	f.lines = 1 + bytes.Count(united.Source, []byte("\n"))
	var err error
	if f.syntax, f.decls, err = splicedDecls(f.name, f.text); err != nil {
		return nil, err
	}
	b.files[original.Name] = f
	return f, nil
}

// member finds the variants of a program.
func (b *schemaBuilder) member(p *Rewritten) (m *Member, why string) {
	m = &Member{Points: p.Points, files: map[string]*memberFile{}}
	if p.Points != nil {
		m.numbers = make([]int, p.Points.Len())
		for i := range m.numbers {
			m.numbers[i] = -1
		}
	}
	if (p.Points == nil) != (b.united.Points == nil) {
		return nil, "it has no points"
	}
	why = b.in.eachChanged(p, func(original, changed *analysis.File) string {
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

// unchanged numbers the points of the files that a program has as the original has them.
func (b *schemaBuilder) unchanged(m *Member, p *Rewritten) string {
	if m.numbers == nil {
		return ""
	}
	for _, path := range slices.Sorted(maps.Keys(p.packages)) {
		pkg := p.packages[path]
		if !slices.Contains(b.in.program.Packages, pkg) {
			continue // changed
		}
		united := b.united.packages[path]
		for i, f := range pkg.Files {
			own := marks(p.textOf(f, b.in.fileName(pkg, f.Name)))
			all := marks(b.united.textOf(united.Files[i], b.in.fileName(pkg, f.Name)))
			if !m.number(own, all) {
				return "points of " + f.Rel + " differ"
			}
		}
	}
	return ""
}

// vary finds the functions of a file that a program has otherwise than the original.
func (b *schemaBuilder) vary(m *Member, p *Rewritten, f *schemaFile, changed *analysis.File) (why string) {
	text := p.textOf(changed, f.name)
	syntax, decls, err := splicedDecls(f.name, text)
	if err != nil {
		return err.Error()
	}
	here := newMemberFile(f, changed)
	united, after := sourceDecls(f.united), sourceDecls(changed)
	for _, key := range slices.Sorted(maps.Keys(decls)) {
		d, own := decls[key], f.decls[key]
		source, now := united[key], after[key]
		same := source != nil && now != nil && bytes.Equal(sourceOf(f.united, source), sourceOf(changed, now))
		switch {
		case isReset(key):
		case own == nil && strings.HasPrefix(key, "var _"):
			f.kept[string(text[d.begin:d.end])] = true
		case own == nil:
			return "rewritten, it declares " + key
		case d.lbrace < 0:
			if same && !sameRewritten(f.text[own.begin:own.end], text[d.begin:d.end]) {
				return "rewritten, it declares " + key + " otherwise"
			}
		case sameRewritten(f.text[own.begin:own.end], text[d.begin:d.end]) && (same || source == nil && now == nil):
			if !m.number(marks(text[d.begin:d.end]), marks(f.text[own.begin:own.end])) {
				return "points of " + key + " differ"
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
		if !slices.ContainsFunc(f.syntax.Imports, func(o *ast.ImportSpec) bool { return o.Path.Value == s.Path.Value && nameOf(o) == nameOf(s) }) {
			f.imports[nameOf(s)+" "+s.Path.Value] = true
		}
	}
	m.files[f.name] = here
	return ""
}

// nameOf is the name that an import gives, "" for the package's own.
func nameOf(s *ast.ImportSpec) string {
	if s.Name == nil {
		return ""
	}
	return s.Name.Name
}

// isReset reports whether a declaration restores variables: it is of the schema, not of
// its programs.
func isReset(key string) bool { return strings.HasPrefix(key, "func zzreset") }

// choose gives a program its variant of a function.
func (b *schemaBuilder) choose(m *Member, f *schemaFile, here *memberFile, key string, changed *analysis.File, now ast.Decl, d *spliced, text []byte) (why string) {
	s := f.slots[key]
	if s == nil {
		if b.slots == variant.Max {
			return "there are too many functions with variants"
		}
		s = &slot{function: b.slots, numbers: map[string]int{}}
		b.slots++
		f.slots[key] = s
	}
	id := string(sourceOf(changed, now)) + "\x00" + strings.Join(rewrittenTokens(text[d.begin:d.end]), " ")
	first := lineOf(changed, now.(*ast.FuncDecl).Type.Func)
	own := marks(text[d.begin:d.end])
	n := s.numbers[id]
	if n == 0 {
		if b.points+len(own) > incremental.MaxPoints {
			return "there are too many points"
		}
		v := &variantText{first: f.lines + 1, lines: 1 + bytes.Count(sourceOf(changed, now), []byte("\n")), literals: literals(d.decl.(*ast.FuncDecl))}
		f.lines += v.lines
		for range own {
			v.marks = append(v.marks, b.points)
			b.points++
		}
		body, ok := asVariant(d, text, len(s.variants)+1)
		if !ok {
			return "it declares parameters of " + key + " again"
		}
		v.body = renumbered(f.name, body, v.first-first, v.marks)
		open := now.(*ast.FuncDecl).Body.Lbrace
		v.at = fmt.Sprintf("%d:%d", lineOf(changed, open)+v.first-first, columnOf(changed, open))
		s.variants = append(s.variants, v)
		n = len(s.variants)
		s.numbers[id] = n
	}
	v := s.variants[n-1]
	if !m.number(own, v.marks) {
		return "points of " + key + " differ"
	}
	m.Choices = append(m.Choices, variant.Choice{Function: s.function, Variant: n})
	here.ranges = append(here.ranges, lineRange{v.first, v.first + v.lines, first - v.first})
	end := lineOf(f.united, sourceDecls(f.united)[key].End())
	here.ranges = append(here.ranges, lineRange{end, end + 1, lineOf(changed, now.End()) - end})
	return ""
}

// closures are the names of function literals in functions with variants: the compiler counts
// those of all variants, and then those of the function as it is.
func (b *schemaBuilder) closures(m *Member) (names []closureName) {
	chosen := map[int]int{}
	for _, c := range m.Choices {
		chosen[c.Function] = c.Variant
	}
	for _, f := range b.files {
		for key, s := range f.slots {
			own := f.decls[key].decl.(*ast.FuncDecl)
			before, has := s.variants, literals(own)
			if n := chosen[s.function]; n > 0 {
				before, has = s.variants[:n-1], s.variants[n-1].literals
			}
			prior := 0
			for _, v := range before {
				prior += v.literals
			}
			if prior > 0 && has > 0 {
				names = append(names, closureNames(f.pkg, own, prior))
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

// directive is one of the rewriter that sets a position: line and column.
var directive = regexp.MustCompile(`/\*line :(\d+):(\d+)\*/`)

// renumbered is the body of a variant with its lines moved, and with the numbers that its points
// have in the schema.
func renumbered(name string, body []byte, move int, numbers []int) string {
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
	i := 0
	body = mark.ReplaceAllFunc(body, func(m []byte) []byte {
		i++
		return fmt.Appendf(nil, ".Reached[%d] = 1;", numbers[i-1])
	})
	return string(body)
}

// mark is the end of a mark of a point.
var mark = regexp.MustCompile(`\.Reached\[(\d+)\] = 1;`)

// marks are the numbers of the points in a text.
func marks(text []byte) (all []int) {
	for _, m := range mark.FindAllSubmatch(text, -1) {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// assemble is the text of a file with all variants.
func (b *schemaBuilder) assemble(f *schemaFile) []byte {
	var keys []string
	for key := range f.slots {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(x, y string) int { return f.decls[x].begin - f.decls[y].begin })
	alias := freeName(f.pkg, "zzvariant")
	var out bytes.Buffer
	at := int(f.syntax.Name.End() - f.syntax.FileStart)
	out.Write(f.text[:at])
	fmt.Fprintf(&out, "; import %s %q", alias, runtimePath+"variant")
	for _, spec := range slices.Sorted(maps.Keys(f.imports)) {
		out.WriteString("; import " + spec)
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
