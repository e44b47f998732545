package impact

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"mendel/analysis"
	"mendel/checker/sched"
)

// Points are where a change may matter, as lines of the files after it.
type Points struct {
	lines, functions, types, fields []sched.Lines
}

const (
	Basic = "BASIC" // the mode that prefers nothing
	// Default is the mode that "default" names: it rejects most of the subjects' wrong
	// patches with fewer schedules than Basic (mendel-bench capp).
	Default = "COS"
)

// Modes are all modes but Basic.
var Modes = []string{"CS", "CA", "COS", "COA", "MS", "MA", "MOS", "MOA", "LS", "LA", "LOS", "LOA", "FS", "FA"}

// For is what to prefer in a mode, nil for Basic.
func (p *Points) For(mode string) (*sched.Impact, error) {
	switch {
	case mode == Basic:
		return nil, nil
	case mode == "default":
		mode = Default
	case !slices.Contains(Modes, mode):
		return nil, fmt.Errorf("there is no mode %q: want %s, %s or default", mode, strings.Join(Modes, ", "), Basic)
	}
	i := &sched.Impact{Stack: len(mode) == 3, All: strings.HasSuffix(mode, "A")}
	i.Ranges = map[byte][]sched.Lines{'C': p.types, 'M': p.functions, 'L': p.lines, 'F': p.fields}[mode[0]]
	return i, nil
}

// OfMutant finds the points of a program in which some files are replaced: source by
// absolute name.
func OfMutant(p *analysis.Program, files map[string][]byte) (*Points, error) {
	fset, changed, err := p.Recheck(files)
	if err != nil {
		return nil, fmt.Errorf("find out where a change matters: %w", err)
	}
	c := newCollector(fset, p, changed)
	for name, after := range files {
		if f := p.File(name); f != nil {
			c.compare(f.Name, f.Source, after)
		}
	}
	return c.collect(), nil
}

// OfChange finds the points of a program, as it is now, that was changed: what its files
// were, by absolute name; nil for one that is new.
func OfChange(p *analysis.Program, before map[string][]byte) *Points {
	c := newCollector(p.Fset, p, p.Packages)
	for name, text := range before {
		if f := p.File(name); f != nil {
			c.compare(f.Name, text, f.Source)
		}
	}
	return c.collect()
}

// A collector finds the points of one change.
type collector struct {
	files  map[string]*source
	lines  map[string]map[int]bool // that are impacted, by file
	fields map[string]bool         // keys of fields and variables
}

// A source is a file after the change.
type source struct {
	*analysis.File
	fset  *token.FileSet
	info  *types.Info
	funcs []ast.Node // declarations and literals, outer ones first
}

func newCollector(fset *token.FileSet, p *analysis.Program, changed []*analysis.Package) *collector {
	c := &collector{files: map[string]*source{}, lines: map[string]map[int]bool{}, fields: map[string]bool{}}
	add := func(pkg *analysis.Package, fset *token.FileSet) {
		for _, f := range pkg.Files {
			s := &source{File: f, fset: fset, info: pkg.Info}
			ast.Inspect(f.AST, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.FuncDecl, *ast.FuncLit:
					s.funcs = append(s.funcs, n)
				}
				return true
			})
			c.files[f.Name] = s
		}
	}
	for _, pkg := range p.Packages {
		again := slices.IndexFunc(changed, func(q *analysis.Package) bool { return q.Path == pkg.Path })
		if again >= 0 {
			add(changed[again], fset)
		} else {
			add(pkg, p.Fset)
		}
	}
	return c
}

// compare notes which lines of a file a change has made, and those around what it took.
func (c *collector) compare(name string, before, after []byte) {
	at := map[int]bool{}
	line := func(offset int) int { return 1 + bytes.Count(after[:min(offset, len(after))], []byte("\n")) }
	shift := 0 // of offsets, by the edits before
	for _, e := range udiff.Lines(string(before), string(after)) {
		from := e.Start + shift
		shift += len(e.New) - (e.End - e.Start)
		first, n := line(from), strings.Count(e.New, "\n")
		for k := range n {
			at[first+k] = true
		}
		if n == 0 {
			at[first-1], at[first] = true, true
		}
	}
	c.lines[name] = at
}

// collect goes from the lines to all else.
func (c *collector) collect() *Points {
	for name, lines := range c.lines {
		if f := c.files[name]; f != nil {
			f.widen(lines)
			f.surround(lines)
			c.names(f, lines)
		}
	}
	p := &Points{}
	for name, lines := range c.lines {
		f := c.files[name]
		if f == nil {
			continue
		}
		for n := range lines {
			p.lines = append(p.lines, sched.Lines{File: name, From: n, To: n})
			if fn := f.function(n); fn != nil {
				p.functions = append(p.functions, f.rangeOf(fn))
				p.types = append(p.types, c.receivers(f, n)...)
			}
		}
	}
	for name, f := range c.files {
		used := f.uses(c.fields)
		f.surround(used)
		for n := range used {
			p.fields = append(p.fields, sched.Lines{File: name, From: n, To: n})
		}
	}
	for _, list := range []*[]sched.Lines{&p.lines, &p.functions, &p.types, &p.fields} {
		*list = sorted(*list)
	}
	return p
}

// sorted orders lines, each once.
func sorted(all []sched.Lines) []sched.Lines {
	slices.SortFunc(all, func(a, b sched.Lines) int {
		if n := strings.Compare(a.File, b.File); n != 0 {
			return n
		}
		return (a.From-b.From)*1_000_000 + a.To - b.To
	})
	return slices.Compact(all)
}

func (f *source) line(p token.Pos) int { return f.fset.PositionFor(p, false).Line }

func (f *source) rangeOf(n ast.Node) sched.Lines {
	return sched.Lines{File: f.Name, From: f.line(n.Pos()), To: f.line(n.End())}
}

// function is the innermost function that a line is part of, nil: none.
func (f *source) function(line int) (found ast.Node) {
	for _, fn := range f.funcs {
		if r := f.rangeOf(fn); r.From <= line && line <= r.To {
			found = fn
		}
	}
	return found
}

// receivers are all methods of the type whose method a line is part of, or all functions
// of the package that are no methods.
func (c *collector) receivers(f *source, line int) (all []sched.Lines) {
	var of *ast.FuncDecl
	for _, fn := range f.funcs {
		if d, ok := fn.(*ast.FuncDecl); ok {
			if r := f.rangeOf(d); r.From <= line && line <= r.To {
				of = d
			}
		}
	}
	if of == nil {
		return nil
	}
	for _, g := range f.Package.Files {
		s := c.files[g.Name]
		for _, fn := range s.funcs {
			if d, ok := fn.(*ast.FuncDecl); ok && receiver(d) == receiver(of) {
				all = append(all, s.rangeOf(d))
			}
		}
	}
	return all
}

// receiver is the name of a method's type, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch u := t.(type) {
		case *ast.StarExpr:
			t = u.X
		case *ast.IndexExpr:
			t = u.X
		case *ast.IndexListExpr:
			t = u.X
		case *ast.ParenExpr:
			t = u.X
		case *ast.Ident:
			return u.Name
		default:
			return ""
		}
	}
}
