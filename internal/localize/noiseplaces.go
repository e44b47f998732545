package localize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"mendel/analysis"
)

// Kinds of noise places: those of CFLASH (Rojas Garcia 2020) in Go's terms.
const (
	NoiseFunctions = "functions" // that hold a lock from their first statement to their end
	NoiseSections  = "sections"  // critical sections within a function
	NoiseShared    = "shared"    // statements on package-level or captured variables
	NoiseObjects   = "objects"   // statements on objects received as parameters, the receiver included
)

// NoiseKinds are all of them.
var NoiseKinds = []string{NoiseFunctions, NoiseSections, NoiseShared, NoiseObjects}

// A noisePlace is numbered by its index.
type noisePlace struct {
	at   site
	kind string
}

// noised is a program with calls at its noise places: the files that replace others,
// and a new one in each package concerned.
type noised struct {
	places []noisePlace
	files  map[string][]byte
}

// noiseCall is the function that is called at the places.
const noiseCall = "mendelNoiseAt"

// noiseEnv names the environment variable with the first and the last place to be
// noised in a run.
const noiseEnv = "MENDEL_NOISE_PLACES"

// noiseSource is what is added to a package. A pause is short, since tests are, and
// may be left out, so that places in loops do not take all of the time. Nothing in
// it orders goroutines, which would hide races.
const noiseSource = `package %s

import (
	mendelRand "math/rand/v2"
	mendelOS "os"
	mendelStrconv "strconv"
	mendelStrings "strings"
	mendelTime "time"
)

var mendelNoiseFrom, mendelNoiseTo = func() (int, int) {
	from, to, _ := mendelStrings.Cut(mendelOS.Getenv("` + noiseEnv + `"), "-")
	a, errA := mendelStrconv.Atoi(from)
	b, errB := mendelStrconv.Atoi(to)
	if errA != nil || errB != nil {
		return 1, 0
	}
	return a, b
}()

func ` + noiseCall + `(place int) {
	if place >= mendelNoiseFrom && place <= mendelNoiseTo && mendelRand.IntN(4) > 0 {
		mendelTime.Sleep(mendelTime.Duration(mendelRand.IntN(4000)) * mendelTime.Microsecond)
	}
}
`

// noise puts calls at the places of some kinds in the module's own code.
func noise(p *analysis.Program, kinds []string) *noised {
	n := &noised{files: map[string][]byte{}}
	for _, pkg := range p.Packages {
		if strings.HasSuffix(pkg.Path, "_test") {
			continue
		}
		before := len(n.places)
		for _, f := range pkg.Files {
			if !f.Test && !f.Generated {
				n.file(p, pkg, f, kinds)
			}
		}
		if len(n.places) > before {
			n.files[filepath.Join(pkg.Dir, "mendel_noise_places.go")] = fmt.Appendf(nil, noiseSource, pkg.Types.Name())
		}
	}
	return n
}

// An insertion is text at an offset.
type insertion struct {
	offset int
	text   string
}

// file puts calls into one file, within its lines.
func (n *noised) file(p *analysis.Program, pkg *analysis.Package, f *analysis.File, kinds []string) {
	v := &noiseVisitor{p: p, pkg: pkg, f: f, kinds: kinds, n: n}
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && fn.Name.Name != "init" {
			v.params = append(fields(fn.Recv), fields(fn.Type.Params)...)
			v.body(fn.Body, fn.Pos())
		}
	}
	if len(v.insertions) == 0 {
		return
	}
	sort.SliceStable(v.insertions, func(i, k int) bool { return v.insertions[i].offset < v.insertions[k].offset })
	var out []byte
	last := 0
	for _, in := range v.insertions {
		out = append(append(out, f.Source[last:in.offset]...), in.text...)
		last = in.offset
	}
	n.files[f.Name] = append(out, f.Source[last:]...)
}

func fields(list *ast.FieldList) (names []*ast.Ident) {
	if list != nil {
		for _, f := range list.List {
			names = append(names, f.Names...)
		}
	}
	return names
}

// A noiseVisitor goes through the functions of a file.
type noiseVisitor struct {
	p          *analysis.Program
	pkg        *analysis.Package
	f          *analysis.File
	kinds      []string
	n          *noised
	params     []*ast.Ident
	from       token.Pos // of the function, or function literal, around
	insertions []insertion
}

func (v *noiseVisitor) body(b *ast.BlockStmt, from token.Pos) {
	v.from = from
	ast.Inspect(b, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			params, outer := v.params, v.from
			v.params = append(slices.Clone(params), fields(node.Type.Params)...)
			v.body(node.Body, node.Pos())
			v.params, v.from = params, outer
			return false
		case *ast.BlockStmt:
			v.list(node.List, node == b)
		case *ast.CaseClause:
			v.list(node.Body, false)
		case *ast.CommClause:
			v.list(node.Body, false)
		}
		return true
	})
}

// list looks at the statements of a list; whole: it is a function's body.
func (v *noiseVisitor) list(list []ast.Stmt, whole bool) {
	for i, s := range list {
		lock, method := v.lock(s)
		switch {
		case method == "Lock" || method == "RLock":
			if whole && i == 0 && len(list) > 1 && v.deferred(list[1], lock) {
				if v.wants(NoiseFunctions) {
					v.call(s, NoiseFunctions, "defer ")
				}
				continue
			}
			if !v.wants(NoiseSections) {
				continue
			}
			v.call(s, NoiseSections, "")
			for _, end := range list[i+1:] {
				if l, m := v.lock(end); l == lock && strings.HasSuffix(m, "Unlock") {
					v.again(end.End())
					break
				}
			}
		case method != "":
		default:
			if kind := v.kind(s); kind != "" {
				v.call(s, kind, "")
			}
		}
	}
}

func (v *noiseVisitor) wants(kind string) bool { return slices.Contains(v.kinds, kind) }

// call numbers a place and puts a call before its statement. Deferred besides, the
// call comes after the unlock that is deferred later.
func (v *noiseVisitor) call(s ast.Stmt, kind, deferred string) {
	text := fmt.Sprintf("%s(%d); ", noiseCall, len(v.n.places))
	if deferred != "" {
		text = deferred + text + text
	}
	at := v.p.Fset.Position(s.Pos())
	v.n.places = append(v.n.places, noisePlace{site{v.f.Name, at.Line}, kind})
	v.insertions = append(v.insertions, insertion{at.Offset, text})
}

// again puts the call of the last place after a statement as well.
func (v *noiseVisitor) again(end token.Pos) {
	v.insertions = append(v.insertions, insertion{v.p.Fset.Position(end).Offset, fmt.Sprintf("; %s(%d)", noiseCall, len(v.n.places)-1)})
}

// lock is the lock and the method of a statement that is a call of one.
func (v *noiseVisitor) lock(s ast.Stmt) (key, method string) {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return "", ""
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return "", ""
	}
	l, method, ok := v.p.LockOf(v.f, call)
	if !ok {
		return "", ""
	}
	return l.Expr, method
}

func (v *noiseVisitor) deferred(s ast.Stmt, lock string) bool {
	d, ok := s.(*ast.DeferStmt)
	if !ok {
		return false
	}
	l, method, ok := v.p.LockOf(v.f, d.Call)
	return ok && l.Expr == lock && strings.HasSuffix(method, "Unlock")
}

// kind is what a statement works on, "" if it is no noise place. Of compound
// statements only the heads count.
func (v *noiseVisitor) kind(s ast.Stmt) string {
	var heads []ast.Node
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.ReturnStmt, *ast.SendStmt:
		heads = []ast.Node{s}
	case *ast.IfStmt:
		heads = []ast.Node{s.Init, s.Cond}
	case *ast.ForStmt:
		heads = []ast.Node{s.Init, s.Cond}
	case *ast.RangeStmt:
		heads = []ast.Node{s.X}
	case *ast.SwitchStmt:
		heads = []ast.Node{s.Init, s.Tag}
	}
	found := ""
	for _, h := range heads {
		if isNil(h) {
			continue
		}
		ast.Inspect(h, func(n ast.Node) bool {
			if _, literal := n.(*ast.FuncLit); literal {
				return false
			}
			id, ok := n.(*ast.Ident)
			if !ok || found == NoiseShared {
				return true
			}
			variable, ok := v.pkg.Info.Uses[id].(*types.Var)
			if !ok || variable.IsField() {
				return true
			}
			switch {
			case v.wants(NoiseShared) && (variable.Parent() == v.pkg.Types.Scope() || variable.Pos() < v.from && variable.Pkg() == v.pkg.Types):
				found = NoiseShared
			case v.wants(NoiseObjects) && found == "" && v.isParam(variable) && refers(variable.Type()):
				found = NoiseObjects
			}
			return true
		})
	}
	return found
}

func isNil(n ast.Node) bool {
	switch n := n.(type) {
	case nil:
		return true
	case ast.Stmt:
		return n == nil
	}
	return false
}

func (v *noiseVisitor) isParam(variable *types.Var) bool {
	return slices.ContainsFunc(v.params, func(id *ast.Ident) bool { return v.pkg.Info.Defs[id] == variable })
}

// refers reports whether values of a type lead to what others may have too.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Chan, *types.Interface:
		return true
	}
	return false
}
