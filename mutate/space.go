package mutate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/mutate/internal/blocking"
	"mendel/mutate/internal/holding"
	"mendel/mutate/internal/testrules"
	"mendel/mutate/internal/tree"
)

// A Space is every edit of a program. It is safe for concurrent use.
type Space struct {
	program   *analysis.Program
	narrowing *Narrowed
	operators []*Operator
	byName    map[string]*Operator
	trees     *tree.Files
	index     *index
	holding   *holding.Program
	once      sync.Map                // see Once
	attempts  attempts                // see try
	hearing   atomic.Pointer[hearing] // of why operators make no edits; nil: nobody asks. See Declines
	blocking  lazy[*blocking.Index]
	model     *locks.Model
	original  string                 // hash of the original program
	functions map[string][]*Function // by module-relative file; fixed by NewSpace
	fileNames []string               // of functions, sorted
	declared  map[*types.Func]*Function

	channelsOnce channelsOnce // see Space.channels

	callersOnce sync.Once
	callers     map[*Function][]*Function    // see Function.Callers
	sites       siteIndex                    // see Space.callSites
	byNode      lazy[map[ast.Node]*Function] // see Space.function
	all         lazy[[]*Function]            // see Space.allFunctions
	byPackage   lazy[map[*analysis.Package][]*Function]
	looked      func(functions int) // hears what operators go through; nil but in a test

	tests     bool // see IncludeTests
	rulesMu   sync.Mutex
	testRules map[*tree.Original]*testrules.Rules // guarded by rulesMu

	within context.Context // ends the listing of edits; nil: nothing does. See Within

	report   func(Panic) // nil: nobody asks; see OnPanic
	panicsMu sync.Mutex
	panics   map[Panic]bool // places of known ones; guarded by panicsMu

	mu     sync.RWMutex
	edits  []Edit  // guarded by mu; replaced, never changed
	last   listing // guarded by mu
	wanted int     // edits to be listed, if there are as many; guarded by mu
}

// NewSpace enumerates the edits of all operators in the narrowed functions:
// those used concurrently, those that use a shared variable, those near the
// evidence and those that meet these at a channel or a condition variable.
// Generated files are left alone, and so are tests without [IncludeTests]. In a large
// program not all are listed at once: see [Space.Widen].
func NewSpace(p *analysis.Program, n *analysis.Narrowing, operators []*Operator, options ...Option) (*Space, error) {
	s := &Space{
		program: p, narrowing: newNarrowed(p, n), operators: operators,
		byName:    make(map[string]*Operator),
		trees:     tree.NewFiles(p),
		model:     locks.New(p),
		functions: make(map[string][]*Function),
		wanted:    firstEdits,
	}
	for _, option := range options {
		option(s)
	}
	s.holding = holding.New(p, s.model)
	s.index = newIndex(p, s.narrowing)
	s.index.tests, s.index.written.model = s.tests, s.model
	for _, op := range operators {
		if s.byName[op.Name] != nil {
			return nil, fmt.Errorf("two operators are called %s", op.Name)
		}
		s.byName[op.Name] = op
	}
	h := sha256.New()
	for _, pkg := range p.Packages {
		if s.ended() {
			return nil, s.within.Err()
		}
		for _, f := range pkg.Files {
			fmt.Fprintf(h, "%s %d\n", f.Rel, len(f.Source))
			h.Write(f.Source)
			if !s.editable(f) || s.functions[f.Rel] != nil {
				continue
			}
			s.functions[f.Rel] = s.listFunctions(f)
		}
	}
	s.fileNames = slices.Sorted(maps.Keys(s.functions))
	s.declared = declaredOf(s.functions)
	s.original = hex.EncodeToString(h.Sum(nil))
	s.enumerate()
	if s.ended() {
		return nil, s.within.Err()
	}
	return s, nil
}

// Within ends the listing of edits when ctx ends: [NewSpace] returns ctx's error, and the
// space lists no more edits than it has until then.
func Within(ctx context.Context) Option { return func(s *Space) { s.within = ctx } }

// ended reports whether no more edits are to be listed.
func (s *Space) ended() bool { return s.within != nil && s.within.Err() != nil }

// declaredOf finds the declared functions among those that may be edited.
func declaredOf(functions map[string][]*Function) map[*types.Func]*Function {
	declared := make(map[*types.Func]*Function)
	for _, list := range functions {
		for _, fn := range list {
			if decl, ok := fn.Node.(*ast.FuncDecl); ok {
				if obj, ok := fn.File.Package.Info.Defs[decl.Name].(*types.Func); ok {
					declared[obj] = fn
				}
			}
		}
	}
	return declared
}

// functionsOf lists the functions of a file that may be edited.
func (s *Space) functionsOf(file string) []*Function { return s.functions[file] }

// editsOf are an operator's edits in a function that it may make.
func (s *Space) editsOf(op *Operator, fn *Function) (edits []Edit) {
	if op.Edits != nil {
		s.guarded(Panic{Operator: op.Name, Doing: "Edits", File: fn.File.Rel, Func: fn.Name}, func() {
			edits = slices.DeleteFunc(op.Edits(fn), func(e Edit) bool { return !fn.allows(&e) })
		})
	}
	return edits
}

// togetherOf are an operator's composite edits that it may make.
func (s *Space) togetherOf(op *Operator, w *Whole) (edits []Edit) {
	if op.Together != nil {
		s.guarded(Panic{Operator: op.Name, Doing: "Together"}, func() {
			edits = slices.DeleteFunc(op.Together(w), s.forbidden)
		})
	}
	return edits
}

// forbidden reports whether a part of a composite edit may not be offered, since
// it is around an assertion of a test.
func (s *Space) forbidden(e Edit) bool {
	return s.tests && slices.ContainsFunc(flatten([]Edit{e}), func(p Edit) bool {
		m := newSketchMutation(s)
		fn := m.Function(p.File, p.Node)
		return fn != nil && !fn.allows(&p)
	})
}

// admitted reports whether operators are asked about a function.
func (fn *Function) admitted() bool {
	return fn.Narrowing.Concurrent(fn) || len(fn.Accesses(fn.Body)) > 0 || fn.heat() > 0
}

// heat is that of the function's hottest line.
func (fn *Function) heat() float64 {
	return fn.Narrowing.Hottest(fn.File, fn.line(fn.Node.Pos()), fn.line(fn.Node.End()-1))
}

// named reports whether a failure names the function.
func (fn *Function) named() bool {
	return fn.Narrowing.Named(fn.File, fn.line(fn.Node.Pos()), fn.line(fn.Node.End()-1))
}

// Edits are all edits that are listed, those of the greatest worth first, then in source order; the order is the
// same in each run. The slice must not be changed.
func (s *Space) Edits() []Edit {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.edits
}

// Extend enumerates again after the narrowing has grown; it returns the edits
// that are new, in the same order. What operators have found is not looked for again
// where nothing has changed that they asked about.
func (s *Space) Extend() []Edit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.enumerate()
}

// Operators are those whose edits are listed. The slice must not be changed.
func (s *Space) Operators() []*Operator { return s.operators }

// Locks is the model of the locks of the original.
func (s *Space) Locks() *locks.Model { return s.model }

// Operator finds an operator by name; nil if there is none.
func (s *Space) Operator(name string) *Operator { return s.byName[name] }

// firstEdits is how many edits a space lists at first. In a large program most are far
// from the evidence, and hours go by before a search comes to them: 20,000 evaluations
// take more than an hour on two processors. Guessed.
const firstEdits = 20_000

// Widen lists the edits of more functions, twice as many edits as there are, and reports
// whether any were left. At first a space lists those of the functions near the evidence
// and, if these are fewer than 20,000 edits, of others, the nearest first.
func (s *Space) Widen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.left == 0 {
		return false
	}
	s.wanted = 2 * max(s.wanted, len(s.edits))
	s.enumerate()
	return !s.ended()
}

// Left is how many functions there are whose edits are not listed yet.
func (s *Space) Left() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.last.left
}

// byNearness orders functions without heat by how near to the evidence they are: first
// those of a file in which some function has heat, then those of such a package, then
// the others; otherwise they stay as they are.
func byNearness(functions, all []*Function) []*Function {
	files, packages := make(map[*analysis.File]float64), make(map[*analysis.Package]float64)
	for _, fn := range all {
		heat, f := fn.heat(), fn.File
		files[f], packages[f.Package] = max(files[f], heat), max(packages[f.Package], heat)
	}
	return slices.SortedStableFunc(slices.Values(functions), func(a, b *Function) int {
		return cmp.Or(cmp.Compare(files[b.File], files[a.File]), cmp.Compare(packages[b.File.Package], packages[a.File.Package]))
	})
}

// unlistedIn are the edits of single operators in those of some functions whose edits are
// not listed.
func (s *Space) unlistedIn(functions ...*Function) (edits []Edit) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.last.left == 0 || s.ended() {
		return nil
	}
	asked := make(map[*Function]bool)
	for _, fn := range functions {
		if s.last.found[fn] == nil && !asked[fn] && slices.Contains(s.last.functions, fn) {
			asked[fn] = true
			for _, op := range s.operators {
				edits = append(edits, s.editsOf(op, fn)...)
			}
		}
	}
	return edits
}
