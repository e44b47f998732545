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
var linked = map[string]string{
	"runtime.fastrand":    "func() uint32",
	"runtime.cheaprand":   "func() uint32",
	"runtime.fastrand64":  "func() uint64",
	"runtime.rand":        "func() uint64",
	"runtime.cheaprand64": "func() int64",
	"runtime.fastrandn":   "func(n uint32) uint32",
	"runtime.cheaprandn":  "func(n uint32) uint32",
	"runtime.nanotime":    "func() int64",
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
				if ok && linked[name] != "" && types.Identical(fn.Signature(), signatures[linked[name]]) {
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

// signatures are the types of linked.
var signatures = map[string]*types.Signature{
	"func() uint32":         signature(nil, types.Uint32),
	"func() uint64":         signature(nil, types.Uint64),
	"func() int64":          signature(nil, types.Int64),
	"func(n uint32) uint32": signature(types.Typ[types.Uint32], types.Uint32),
}

func signature(of types.Type, result types.BasicKind) *types.Signature {
	var params []*types.Var
	if of != nil {
		params = append(params, types.NewParam(0, nil, "", of))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(types.NewParam(0, nil, "", types.Typ[result])), false)
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
