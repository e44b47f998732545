package analysis

import (
	"crypto/sha256"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"sync"
)

// A Program is a target loaded with types: the module's own packages from
// source, everything else from export data. It does not change after [Load]
// and is safe for concurrent use.
type Program struct {
	Target   Target
	Module   string // directory of go.mod
	Fset     *token.FileSet
	Packages []*Package // the target's package, its external test package, then the packages of the module they depend on
	// Dependencies are packages that the checker may control. They are not the
	// module's: no narrowing and no edit concerns them.
	Dependencies []*Dependency
	// Network reports that the network of the tests is to be under control.
	Network bool

	files  map[string]*File // by absolute name
	unit   *unit            // how the packages were type-checked, for Check
	owned  map[*types.Package]*Package
	recent *recent                            // what Recheck found last
	copies func() map[*types.TypeName]copying // types whose values are copied, found on first use
	// lockTypes are the module's types that are locked like a mutex.
	lockTypes func() map[*types.TypeName]lockType
	// lockHelpers are the module's methods that only call a method of a lock in their receiver.
	lockHelpers func() map[*types.Func]lockHelper
	names       func(*Package) map[string]bool               // identifiers that occur in a package
	embedders   func() map[*types.TypeName][]*types.TypeName // see findEmbedders
	naming      func() map[*types.Var][]Declaration          // see Naming
	holdings    *sync.Map                                    // see holds; by holding
	// lockVariables are the package-level variables in which there may be a lock.
	lockVariables func(*Package) []*types.Var
	valueCopies   *sync.Map                  // see scope.valueCopies; by *ast.FuncDecl
	localNames    *sync.Map                  // see Program.NamesAt; by ast.Decl
	localKeys     *sync.Map                  // see Program.variableKey; by *types.Var
	outerLocks    *sync.Map                  // see scope.outer; by outside
	lastLocks     *sync.Map                  // see Locks; those of the declaration asked about last, by *File
	acquired      *sync.Map                  // see Acquires; by *ast.CallExpr and *function
	conds         func() map[*types.Var]Lock // locks given to sync.NewCond, by the variable that holds the Cond
	index         func() *index              // functions and declarations
	calls         func() *callGraph          // who calls whom
}

// A Package is a package of the target's module; of one with tests, the variant that includes them.
type Package struct {
	Path  string // import path without the test variant's suffix
	Dir   string
	Files []*File
	Types *types.Package
	Info  *types.Info

	hidden []*ast.File // what cmd/cgo made of the files that import "C": typed, never edited
}

// A File is one source file.
type File struct {
	Name      string // absolute
	Rel       string // slash-separated, relative to Program.Module
	Source    []byte
	AST       *ast.File
	Test      bool // *_test.go
	Generated bool // "Code generated ... DO NOT EDIT."
	Package   *Package
}

// File finds a loaded file by absolute or module-relative name; nil if there is none.
func (p *Program) File(name string) *File {
	if f := p.files[name]; f != nil {
		return f
	}
	name = filepath.FromSlash(name)
	if !filepath.IsAbs(name) {
		name = filepath.Join(p.Module, name)
	}
	if f := p.files[filepath.Clean(name)]; f != nil {
		return f
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return p.files[real]
	}
	return nil
}

// fileAt finds the loaded file that holds a position; nil for other positions.
func (p *Program) fileAt(pos token.Pos) *File {
	if tf := p.Fset.File(pos); tf != nil {
		return p.files[tf.Name()]
	}
	return nil
}

// owns reports whether an object is declared in one of the module's packages.
func (p *Program) owns(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && p.owned[obj.Pkg()] != nil
}

// prepare fills in what is computed on first use.
func (p *Program) prepare() {
	p.files = map[string]*File{}
	p.owned = map[*types.Package]*Package{}
	for _, pkg := range p.Packages {
		p.owned[pkg.Types] = pkg
		for _, f := range pkg.Files {
			p.files[f.Name] = f
		}
	}
	p.copies = sync.OnceValue(p.findCopies)
	p.lockTypes = sync.OnceValue(p.findLockTypes)
	p.lockHelpers = sync.OnceValue(p.findLockHelpers)
	p.naming = sync.OnceValue(p.findNaming)
	p.embedders = sync.OnceValue(p.findEmbedders)
	p.conds = sync.OnceValue(p.findConds)
	p.index = sync.OnceValue(func() *index { return newIndex(p) })
	p.calls = sync.OnceValue(func() *callGraph { return newCallGraph(p) })
	p.recent = &recent{known: map[[sha256.Size]byte]*rechecked{}}
	p.valueCopies, p.holdings = new(sync.Map), new(sync.Map)
	p.acquired, p.outerLocks, p.lastLocks = new(sync.Map), new(sync.Map), new(sync.Map)
	p.localNames, p.localKeys = new(sync.Map), new(sync.Map)
	p.lockVariables = perPackage(p, p.findLockVariables)
	p.names = perPackage(p, identifiers)
}

// perPackage makes a function that computes a value once for each package.
func perPackage[T any](p *Program, compute func(*Package) T) func(*Package) T {
	once := map[*Package]func() T{}
	for _, pkg := range p.Packages {
		once[pkg] = sync.OnceValue(func() T { return compute(pkg) })
	}
	return func(pkg *Package) T { return once[pkg]() }
}
