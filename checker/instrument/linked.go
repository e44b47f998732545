package instrument

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis"
)

// A function without a body may be one of the runtime, by a directive:
//
//	//go:linkname fastrand runtime.fastrand
//	func fastrand() uint32
//
// Where the engine has what can stand for it, calls are redirected to that. What draws
// numbers from the runtime would else make executions of one schedule differ.

// linked are the functions of the runtime that have stand-ins, with their types.
var linked = map[string]*types.Signature{
	"runtime.fastrand":    signature(nil, types.Uint32),
	"runtime.cheaprand":   signature(nil, types.Uint32),
	"runtime.fastrand64":  signature(nil, types.Uint64),
	"runtime.rand":        signature(nil, types.Uint64),
	"runtime.cheaprand64": signature(nil, types.Int64),
	"runtime.fastrandn":   signature([]types.Type{types.Typ[types.Uint32]}, types.Uint32),
	"runtime.cheaprandn":  signature([]types.Type{types.Typ[types.Uint32]}, types.Uint32),
	"runtime.nanotime":    signature(nil, types.Int64),

	"runtime.procPin":         signature(nil, types.Int),
	"sync.runtime_procPin":    signature(nil, types.Int),
	"runtime.procUnpin":       signature(nil),
	"sync.runtime_procUnpin":  signature(nil),
	"sync.runtime_Semacquire": signature([]types.Type{types.NewPointer(types.Typ[types.Uint32])}),
	"sync.runtime_Semrelease": signature([]types.Type{types.NewPointer(types.Typ[types.Uint32]), types.Typ[types.Bool], types.Typ[types.Int]}),
}

// linkedIn are the functions of a package that are such ones of the runtime, by name.
func linkedIn(pkg *analysis.Package) map[string]string {
	found := map[string]string{}
	for _, f := range pkg.Files {
		bodiless := map[string]bool{}
		for _, d := range f.AST.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Body == nil {
				bodiless[d.Name.Name] = true
			}
		}
		for _, group := range f.AST.Comments {
			for _, c := range group.List {
				local, name := linkname(c.Text)
				if !bodiless[local] {
					continue
				}
				fn, ok := pkg.Types.Scope().Lookup(local).(*types.Func)
				if ok && linked[name] != nil && types.Identical(fn.Signature(), linked[name]) {
					found[local] = name
				}
			}
		}
	}
	return found
}

// linkname is what a directive says: the name here, and the one elsewhere; "" if it is none,
// or names nothing elsewhere.
func linkname(comment string) (local, name string) {
	rest, ok := strings.CutPrefix(comment, "//go:linkname ")
	if words := strings.Fields(rest); ok && len(words) == 2 {
		return words[0], words[1]
	}
	return "", ""
}

func signature(params []types.Type, results ...types.BasicKind) *types.Signature {
	var in, out []*types.Var
	for _, t := range params {
		in = append(in, types.NewParam(0, nil, "", t))
	}
	for _, kind := range results {
		out = append(out, types.NewParam(0, nil, "", types.Typ[kind]))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(in...), types.NewTuple(out...), false)
}

// known is the name of a function by which it has a stand-in: its own, or that of the one of
// the runtime that it is.
func (r *rewriter) known(o types.Object) string {
	if name := r.linked[nameIn(o, r.pkg)]; name != "" {
		return name
	}
	return qualifiedName(o)
}

// nameIn is the name of a function of a package; "" for anything else.
func nameIn(o types.Object, pkg *types.Package) string {
	if f, ok := o.(*types.Func); ok && f.Pkg() == pkg && f.Signature().Recv() == nil {
		return f.Name()
	}
	return ""
}
