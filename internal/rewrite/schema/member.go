package schema

import (
	"go/ast"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
	"mendel/internal/rewrite/variant"
)

// A Member is one of a schema's programs: the variants that it has, and how what the schema
// says of itself reads in a build of the program alone.
type Member struct {
	Choices []variant.Choice
	Marks   []int // the schema's numbers of marks, by the program's; nil: it has none

	files    map[string]*memberFile // by name
	closures []closureName
}

// A memberFile maps lines of a file between a schema and its member.
type memberFile struct {
	ranges []lineRange // of variants
	decls  []lineRange // of declarations that are as they were
	base   string
}

// A lineRange is lines of the schema, from one to before another, and how far those of the
// member are from them.
type lineRange struct{ from, to, move int }

// A closureName tells the names of a variant's function literals, and of the bodies of its
// loops over functions. The compiler counts those of a function through all of its variants.
type closureName struct {
	pattern *regexp.Regexp
	prior   int // literals in the texts before the variant
	ranges  int // loops over functions there
}

// own is a name that the pattern matches as the member has it.
func (c closureName) own(match string) string {
	kind, prior := ".func", c.prior
	at := strings.LastIndex(match, kind)
	if r := strings.LastIndex(match, "-range"); r > at {
		kind, prior, at = "-range", c.ranges, r
	}
	at += len(kind)
	n, err := strconv.Atoi(match[at:])
	if err != nil || n <= prior {
		return match
	}
	return match[:at] + strconv.Itoa(n-prior)
}

// newMemberFile maps the lines of declarations that are in both files. Those of variants are
// added later.
func newMemberFile(f *schemaFile, changed *analysis.File) *memberFile {
	m := &memberFile{base: filepath.Base(f.name)}
	before, after := sourceDecls(f.united), sourceDecls(changed)
	for key, d := range before {
		if now := after[key]; now != nil {
			from := lineOf(f.united, d.Pos())
			m.decls = append(m.decls, lineRange{from, lineOf(f.united, d.End()) + 1, lineOf(changed, now.Pos()) - from})
		}
	}
	return m
}

// number notes the numbers that marks of the program have in the schema; false if there are
// not as many.
func (m *Member) number(own, all []int) bool {
	if m.Marks == nil {
		return true
	}
	if len(own) != len(all) {
		return false
	}
	for i, n := range own {
		if n < len(m.Marks) {
			m.Marks[n] = all[i]
		}
	}
	return true
}

// Has reports whether a line of the schema is one of the member's own variants.
func (m *Member) Has(file string, line int) bool {
	f := m.file(file)
	return f != nil && slices.ContainsFunc(f.ranges, func(r lineRange) bool { return r.from <= line && line < r.to })
}

// own is the line in the member for one in the schema.
func (f *memberFile) own(line int) int {
	for _, r := range f.ranges {
		if r.from <= line && line < r.to {
			return line + r.move
		}
	}
	for _, r := range f.decls {
		if r.from <= line && line < r.to {
			return line + r.move
		}
	}
	return line
}

// compiled is the line in the schema for one in the member.
func (f *memberFile) compiled(line int) int {
	for _, r := range f.ranges {
		if r.from+r.move <= line && line < r.to+r.move {
			return line - r.move
		}
	}
	for _, r := range f.decls {
		if r.from+r.move <= line && line < r.to+r.move {
			return line - r.move
		}
	}
	return line
}

// Text is what the schema printed as the member alone would have printed it.
func (m *Member) Text(text string) string { return m.text(text, (*memberFile).own) }

// Own makes positions, and texts with positions, in a value those of the member; it
// follows pointers. A position is a struct with the fields File and Line.
func (m *Member) Own(value any) { m.walk(reflect.ValueOf(value), (*memberFile).own) }

// Compiled does the reverse: positions of the member become those of the schema.
func (m *Member) Compiled(value any) { m.walk(reflect.ValueOf(value), (*memberFile).compiled) }

// goLine is a file's name with a line.
var goLine = regexp.MustCompile(`([^\s"'()\[\],]*\.go):(\d+)`)

func (m *Member) text(text string, line func(*memberFile, int) int) string {
	if len(m.files) == 0 && len(m.closures) == 0 {
		return text
	}
	if strings.Contains(text, ".go:") {
		text = goLine.ReplaceAllStringFunc(text, func(match string) string {
			file, digits, _ := strings.Cut(match, ".go:")
			f := m.file(file + ".go")
			n, err := strconv.Atoi(digits)
			if f == nil || err != nil {
				return match
			}
			return file + ".go:" + strconv.Itoa(line(f, n))
		})
	}
	for _, c := range m.closures {
		if !strings.Contains(text, ".func") && !strings.Contains(text, "-range") {
			break
		}
		text = c.pattern.ReplaceAllStringFunc(text, c.own)
	}
	return text
}

// file is that of a name, absolute or without some of its directories; nil if the member
// does not change it.
func (m *Member) file(name string) *memberFile {
	if f := m.files[filepath.FromSlash(name)]; f != nil {
		return f
	}
	if filepath.IsAbs(name) {
		return nil
	}
	for full, f := range m.files {
		if strings.HasSuffix(filepath.ToSlash(full), "/"+name) {
			return f
		}
	}
	return nil
}

// walk changes all positions and texts in a value.
func (m *Member) walk(v reflect.Value, line func(*memberFile, int) int) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			m.walk(v.Elem(), line)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			m.walk(v.Index(i), line)
		}
	case reflect.Map:
		m.walkMap(v, line)
	case reflect.Struct:
		m.walkStruct(v, line)
	case reflect.String:
		if v.CanSet() {
			v.SetString(m.text(v.String(), line))
		}
	}
}

func (m *Member) walkMap(v reflect.Value, line func(*memberFile, int) int) {
	for _, key := range v.MapKeys() {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		m.walk(value, line)
		to := reflect.New(v.Type().Key()).Elem()
		to.Set(key)
		m.walk(to, line)
		if to.Comparable() && !to.Equal(key) {
			v.SetMapIndex(key, reflect.Value{})
		}
		v.SetMapIndex(to, value)
	}
}

func (m *Member) walkStruct(v reflect.Value, line func(*memberFile, int) int) {
	file, at := v.FieldByName("File"), v.FieldByName("Line")
	if file.IsValid() && at.IsValid() && file.Kind() == reflect.String && at.CanInt() && at.CanSet() {
		if f := m.file(file.String()); f != nil && file.String() != "" {
			at.SetInt(int64(line(f, int(at.Int()))))
		}
	}
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			m.walk(v.Field(i), line)
		}
	}
}

// closureNames are the names of function literals and bodies of loops over functions in a
// function, as stacks show them.
func closureNames(pkg *analysis.Package, fn *ast.FuncDecl, prior, ranges int) closureName {
	const arguments = `(?:\[[^\]]*\])?`
	path := pkg.Path
	slash := strings.LastIndexByte(path, '/') + 1
	path = path[:slash] + strings.ReplaceAll(strings.ReplaceAll(path[slash:], "%", "%25"), ".", "%2e")
	name := regexp.QuoteMeta(analysis.FuncName(fn))
	if receiver, method, ok := strings.Cut(name, `\)\.`); ok {
		name = receiver + arguments + `\)\.` + method
	} else if receiver, method, ok := strings.Cut(name, `\.`); ok {
		name = receiver + arguments + `\.` + method
	}
	pattern := regexp.MustCompile(regexp.QuoteMeta(path) + `\.` + name + arguments + `(?:\.func|-range)\d+`)
	return closureName{pattern, prior, ranges}
}
