package locks

import (
	"go/ast"
	"go/token"
	"sync"

	"mendel/analysis"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// A Model answers questions about the locks of a program. It is built on first
// use, function by function, and is safe for concurrent use: one asks it at a time.
type Model struct {
	*program.Program
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
	*naming.Names
	Original *Model // of a mutant's

	memo       map[asked]*summary
	sights     map[string]*sight // by the frame's identity
	parts      map[*program.Func]*parts
	session    rounds
	locks      map[*program.Func][]naming.Lock
	inside     map[*program.Func]bool // functions whose locks are being asked for
	lending    map[*program.Func]bool // iterators that are asked what they hold while they yield
	flows      map[*program.Func][]*Flow
	entering   map[*program.Func][]entered
	graphs     map[*program.Func]*Graph
	nodes      map[ast.Node]ast.Node                 // see nodeOf
	operations map[*program.Func][]program.Operation // see operationsIn
	runs       map[*program.Func][]ast.Node          // see runIn
	concerns   map[concern][]ast.Node
	probes     map[probed][]probe
	ways       map[wayKey]map[entry]bool // see waysInto
	following  followings                // see followed
	tables     map[any]any               // see Table
}

// New makes the model of a program.
func New(p *analysis.Program) *Model { return newModel(program.New(p)) }

func newModel(p *program.Program) *Model {
	return &Model{Program: p, view: View{
		Names:      naming.New(p),
		memo:       make(map[asked]*summary),
		sights:     make(map[string]*sight),
		parts:      make(map[*program.Func]*parts),
		locks:      make(map[*program.Func][]naming.Lock),
		inside:     make(map[*program.Func]bool),
		tables:     make(map[any]any),
		lending:    make(map[*program.Func]bool),
		flows:      make(map[*program.Func][]*Flow),
		entering:   make(map[*program.Func][]entered),
		graphs:     make(map[*program.Func]*Graph),
		nodes:      make(map[ast.Node]ast.Node),
		operations: make(map[*program.Func][]program.Operation),
		runs:       make(map[*program.Func][]ast.Node),
		concerns:   make(map[concern][]ast.Node),
		probes:     make(map[probed][]probe),
		ways:       make(map[wayKey]map[entry]bool),
	}}
}

// With is the model of a mutant: of the program with the files of some packages
// replaced, as [analysis.Program.Recheck] returns them.
func (m *Model) With(fset *token.FileSet, pkgs []*analysis.Package) *Model {
	return m.WithChanges(fset, pkgs, (*program.Program).Differs)
}

// WithChanges is With for a choice of what counts as changed.
func (m *Model) WithChanges(fset *token.FileSet, pkgs []*analysis.Package, changes func(*program.Program, *analysis.File, ast.Decl) bool) *Model {
	o := newModel(m.Mutant(fset, pkgs, changes))
	o.view.Original = m
	return o
}

// Patched is the model of a whole program some packages of which are replaced, as
// [analysis.Program.Recheck] returns them. [Model.With] asks the original for all that has
// not changed and so is cheaper; this one answers every question, of functions that are
// called from elsewhere too.
func (m *Model) Patched(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) *Model {
	return newModel(m.Replaced(p, fset, pkgs))
}

// AskOriginal asks the original's model, which is locked meanwhile.
func (m *View) AskOriginal(ask func(*View)) {
	base := m.Original.Lock()
	defer m.Original.Unlock()
	ask(base)
}
