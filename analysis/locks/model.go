package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"sync"

	"mendel/analysis"
)

// A Model answers questions about the locks of a program. It is built on first
// use, function by function, and is safe for concurrent use: one asks it at a time.
type Model struct {
	*Program
	mu   sync.Mutex // guards view
	view View
}

// Lock gives the caller the model to itself, until it calls Unlock. Who has a mutant's may lock
// the original's meanwhile, and not the other way round.
func (m *Model) Lock() *View {
	m.mu.Lock()
	return &m.view
}

// Unlock lets others ask.
func (m *Model) Unlock() { m.mu.Unlock() }

// A View is a model that one has to oneself: see [Model.Lock].
type View struct {
	*Names
	original *Model // of a mutant's

	memo    map[asked]*summary
	sights  map[string]*sight // by the frame's identity
	parts   map[*Func]*parts
	session rounds
	locks   map[*Func][]Lock
	inside  map[*Func]bool // functions whose locks are being asked for
	lending map[*Func]bool // iterators that are asked what they hold while they yield
	flows   map[*Func][]*flow

	entering  map[*Func][]entered
	above     map[question]bool
	lockNames map[lockName]int32
	over      map[*Func]*above // see aboveOf
	callers   *components      // that it is found by
	graphs    map[*Func]*graph

	nodes        map[ast.Node]ast.Node // see nodeOf
	operations   map[*Func][]operation // see operationsIn
	runs         map[*Func][]ast.Node  // see runIn
	concerns     map[concern][]ast.Node
	probes       map[probed][]probe
	captured     map[*Func]map[*types.Var]bool // see sharedLocals
	allUses      []Use
	atomically   map[string]bool // see changedAtomically
	remade       []Use
	pauses       map[*Func][]Pause
	comesToPause map[*Func]map[string]Pause
	taking       map[*Func]map[string]bool
	steps        map[*Func][]step
	known        map[types.Object]token.Pos // see published
	sharing      map[types.Object]bool      // see shares
	usedAs       map[*Func]types.Type       // see typeUsed
	copies       map[types.Object]bool      // see copied
	givenTo      map[givenQuestion]bool     // see givenOwned
	meeting      map[*Func]*meetings        // see meetingsOf
	atUse        map[ast.Expr][]string      // see LocksAt
	usesBy       map[*Func][]Use            // see usesOf
	edges        []Edge
	nesting      map[*Func]nestings            // see nestingsOf
	nests        map[order]bool                // see Nests
	entered      map[entryKey]Entry            // see EntryOf
	ways         map[wayKey]map[entry]bool     // see waysInto
	under        map[string]map[string][]*Func // see takenUnder
	guarding     map[guardQuestion]Certainty
	following    followings // see followed
}

// Names know what expressions mean. Who asks them has them to themselves, as a [View] does.
type Names struct {
	*Program
	gifts        map[gift][]argument // see given
	locals       map[*Func]*locals
	paths        map[ast.Expr]Path     // see path
	declarations map[*types.Func]*Func // see declared
	parsed       map[string]ast.Expr   // see parse
	defers       map[*Func]map[*ast.CallExpr]bool
}

func newNames(p *Program) *Names {
	return &Names{
		Program: p,
		gifts:   make(map[gift][]argument), locals: make(map[*Func]*locals), paths: make(map[ast.Expr]Path),
		declarations: make(map[*types.Func]*Func), parsed: make(map[string]ast.Expr), defers: make(map[*Func]map[*ast.CallExpr]bool),
	}
}

// A Program is the functions of a program, and who calls whom. It does not change.
type Program struct {
	fset *token.FileSet
	base *Program // the original, of a mutant

	affected map[string]bool // names of the functions that a mutant changes, and of all that may come to call them
	fresh    map[string]bool // keys of the locks that those use which it changes, before or after

	scope map[string]bool // paths of packages that queries about the whole program are limited to; nil: all

	once  sync.Once
	index *index
	fill  func() *index

	mine sync.Once // fills in own
	own  []*Func   // see shipped
}

// unaffected reports whether all that is asked of a function is as in the original.
func (m *Program) unaffected(fn *Func) bool { return m.base != nil && !m.affected[fn.Name] }

// A Func is a declared function or a function literal.
type Func struct {
	Name string // unique in the program, and the same in its mutants: "(*example.com/bank.Account).Deposit", with "$1" for a literal
	File *analysis.File
	Node ast.Node // *ast.FuncDecl or *ast.FuncLit
	Type *ast.FuncType
	Body *ast.BlockStmt
	Decl *Func // the declared function around a literal; itself of others
	Up   *Func // the function around a literal, nil of others

	object *types.Func
	recv   types.Object
	params []types.Object
	lits   []*Func // literals directly in it
	id     int     // in the index
}

// New makes the model of a program.
func New(p *analysis.Program) *Model { return newModel(newProgram(p)) }

// newProgram indexes a program on first use.
func newProgram(p *analysis.Program) *Program {
	o := &Program{fset: p.Fset}
	o.fill = func() *index {
		ix := newIndex(p.Packages, nil)
		for _, pkg := range p.Packages {
			for _, f := range pkg.Files {
				ix.sources[f.Rel], ix.decls[f.Rel] = f, make(map[source]ast.Decl)
				for _, d := range f.AST.Decls {
					ix.decls[f.Rel][sourceOf(p.Fset, f, d)] = d
				}
			}
		}
		ix.dispatch(p.Callees)
		ix.link()
		return ix
	}
	return o
}

func newModel(p *Program) *Model {
	return &Model{Program: p, view: View{Names: newNames(p),
		memo: make(map[asked]*summary), sights: make(map[string]*sight), parts: make(map[*Func]*parts), locks: make(map[*Func][]Lock), inside: make(map[*Func]bool),
		lending: make(map[*Func]bool), flows: make(map[*Func][]*flow), entering: make(map[*Func][]entered), above: make(map[question]bool), lockNames: make(map[lockName]int32), graphs: make(map[*Func]*graph), nodes: make(map[ast.Node]ast.Node), operations: make(map[*Func][]operation), runs: make(map[*Func][]ast.Node), concerns: make(map[concern][]ast.Node), probes: make(map[probed][]probe), guarding: make(map[guardQuestion]Certainty), steps: make(map[*Func][]step), known: make(map[types.Object]token.Pos), sharing: make(map[types.Object]bool), usedAs: make(map[*Func]types.Type), copies: make(map[types.Object]bool), givenTo: make(map[givenQuestion]bool), entered: make(map[entryKey]Entry), ways: make(map[wayKey]map[entry]bool), meeting: make(map[*Func]*meetings), usesBy: make(map[*Func][]Use), atUse: make(map[ast.Expr][]string), pauses: make(map[*Func][]Pause), comesToPause: make(map[*Func]map[string]Pause), taking: make(map[*Func]map[string]bool), captured: make(map[*Func]map[*types.Var]bool),
		nesting: make(map[*Func]nestings), nests: make(map[order]bool), under: make(map[string]map[string][]*Func),
	}}
}

// ready makes the index on first use.
func (m *Program) ready() *index {
	m.once.Do(func() { m.index = m.fill() })
	return m.index
}

// Of finds the function of a declaration or literal; nil if the model has none.
func (m *Program) Of(node ast.Node) *Func {
	if fn := m.ready().byNode[node]; fn != nil || m.base == nil {
		return fn
	}
	return m.base.Of(node)
}

// Named finds a function by name; nil if there is none.
func (m *Program) Named(name string) *Func {
	if fn := m.ready().byName[name]; fn != nil || m.base == nil {
		return fn
	}
	return m.base.Named(name)
}

func (fn *Func) info() *types.Info { return fn.File.Package.Info }

// An ending is what becomes of a goroutine that makes a call.
type ending int

const (
	goesOn      ending = iota
	ends               // it panics or ends: deferred calls run
	endsProcess        // nothing runs any more
)

// endOf says whether a call returns.
func endOf(info *types.Info, call *ast.CallExpr) ending {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if _, builtin := info.Uses[f].(*types.Builtin); builtin && f.Name == "panic" {
			return ends
		}
	case *ast.SelectorExpr:
		if callee, ok := info.Uses[f.Sel].(*types.Func); ok && callee.Pkg() != nil {
			return endings[callee.Pkg().Path()+"."+callee.Name()]
		}
	}
	return goesOn
}

// endings are the functions and methods of the standard library that do not return.
var endings = map[string]ending{
	"os.Exit": endsProcess, "syscall.Exit": endsProcess,
	"log.Fatal": endsProcess, "log.Fatalf": endsProcess, "log.Fatalln": endsProcess,
	"runtime.Goexit": ends, "log.Panic": ends, "log.Panicf": ends, "log.Panicln": ends,
	"testing.Fatal": ends, "testing.Fatalf": ends, "testing.FailNow": ends,
	"testing.Skip": ends, "testing.Skipf": ends, "testing.SkipNow": ends,
}
