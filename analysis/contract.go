package analysis

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/evidence"
	"mendel/internal/gotool"
)

// A Program is a target loaded with types: the module's own packages from
// source, everything else from export data.
type Program struct {
	Target   Target
	Module   string // directory of go.mod
	Fset     *token.FileSet
	Packages []*Package // the target's package, its external test package, then the packages of the module they depend on
}

// A Package is a package of the target's module; of one with tests, the variant that includes them.
type Package struct {
	Path  string // import path without the test variant's suffix
	Dir   string
	Files []*File
	Types *types.Package
	Info  *types.Info
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

// Load loads a target. What does not parse or type-check is a *gotool.BuildError with positions.
func Load(ctx context.Context, tool *gotool.Toolchain, t Target) (*Program, error) { panic("contract") }

// Check type-checks the program with some files replaced (absolute name to
// source): the packages they belong to and the loaded packages that import
// those. What is wrong is a *gotool.BuildError. It is safe for concurrent use.
func (p *Program) Check(files map[string][]byte) error { panic("contract") }

// File finds a loaded file by absolute or module-relative name; nil if there is none.
func (p *Program) File(name string) *File { panic("contract") }

// Source says where a finding comes from.
type Source string

// Sources of findings.
const (
	Static  Source = "static"         // call graph and accesses
	Dynamic Source = "race-report"    // a report of the race detector, or a stack of another failure, from own runs
	Dump    Source = "goroutine-dump" // a goroutine dump
	Given   Source = "given"          // a file the user gave (--from)
)

// A Reason is why a finding was kept.
type Reason struct {
	Source Source
	Detail string // for people: "written in (*Account).Transfer (account.go:31), read in ..."
}

// A Finding is a type, function or variable used concurrently.
type Finding struct {
	Kind    FindingKind
	Name    string       // "Account", "(*Account).Transfer", "Account.amount"
	Object  types.Object // nil for a function literal
	Node    ast.Node     // of a function: *ast.FuncDecl or *ast.FuncLit; else nil
	Pos     token.Position
	Reasons []Reason
}

// FindingKind is what a finding is about.
type FindingKind string

// Kinds of findings.
const (
	TypeFinding     FindingKind = "type"
	FunctionFinding FindingKind = "function"
	VariableFinding FindingKind = "variable"
)

// Counts are the sizes before narrowing: the module's own non-test declarations.
type Counts struct{ Types, Functions, Variables int }

// A Narrowing is what of a program is used concurrently. It is safe for concurrent use.
type Narrowing struct {
	Before                      Counts
	Types, Functions, Variables []*Finding // sorted by position; read through the methods while a search runs
}

// Narrow finds statically what a program uses concurrently.
func Narrow(ctx context.Context, p *Program) (*Narrowing, error) { panic("contract") }

// Merge adds what failures name and returns how many findings are new.
func (n *Narrowing) Merge(source Source, failures ...evidence.Failure) int { panic("contract") }

// Shared tells whether a variable (package-level, field, or local) is among the findings.
func (n *Narrowing) Shared(v *types.Var) bool { panic("contract") }

// Concurrent tells whether a function (*ast.FuncDecl or *ast.FuncLit) is among the findings.
func (n *Narrowing) Concurrent(fn ast.Node) bool { panic("contract") }

// Heat is how near a place is to the evidence: 1 at a line that a failure
// names innermost, less for outer frames, the same function, a function that
// touches the same variables; 0 where only static analysis points.
func (n *Narrowing) Heat(file string, line int) float64 { panic("contract") }

// An Access is one use of a variable.
type Access struct {
	Var   *types.Var
	Expr  ast.Expr
	Write bool
}

// Accesses lists the uses of shared variables in a node, in source order,
// function literals inside it left out.
func (n *Narrowing) Accesses(f *File, node ast.Node) []Access { panic("contract") }

// A Lock is a mutex as it can be written at a place.
type Lock struct {
	Expr string   `json:"expr"`          // "a.mu", "registryMu", or "a" when the mutex is embedded
	Key  string   `json:"key"`           // identity whatever the expression: "example.com/bank.Account.mu"
	RW   bool     `json:"rw,omitempty"`  // a sync.RWMutex
	New  *NewLock `json:"new,omitempty"` // must be declared first; nil: it exists
}

// A NewLock is a mutex that a fix declares.
type NewLock struct {
	Kind string `json:"kind"` // "field", "package", "local"
	Name string `json:"name"` // "mu", or the first free of mu2, mu3, ...
	File string `json:"file"` // module-relative file of the declaration it is put beside
	// Offset is the byte offset, in the original file, of what it is put
	// beside: the name of the field, package variable or local variable it guards.
	Offset int `json:"offset"`
}

// Locks lists the existing mutexes in scope at a statement: package-level,
// receiver, parameters, captured and local variables declared before it,
// their fields up to two selectors deep, embedded ones. Nearest first.
func (p *Program) Locks(f *File, at ast.Node) []Lock { panic("contract") }

// NewLocks lists the mutexes that could be declared to guard the variables
// accessed at a statement: a field beside a field (with the expression that
// reaches it here), a package variable, a captured local. Best first.
func (p *Program) NewLocks(f *File, at ast.Node, accesses []Access) []Lock { panic("contract") }

// LockOf resolves the receiver of a call such as a.mu.Lock() to the lock and
// the method ("Lock", "Unlock", "RLock", "RUnlock", "TryLock", ...); ok is
// false when the call is not one on a sync.Mutex, sync.RWMutex or sync.Locker.
// Embedded mutexes, method values' receivers, pointers and parentheses are seen through.
func (p *Program) LockOf(f *File, call *ast.CallExpr) (l Lock, method string, ok bool) {
	panic("contract")
}

// Acquires lists the keys of the locks that a call may acquire in its callee,
// transitively, sorted. Calls on locks themselves are not counted.
func (p *Program) Acquires(f *File, call *ast.CallExpr) []string { panic("contract") }
