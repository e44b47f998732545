package analysis

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"
)

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
type Counts struct {
	Types     int `json:"types"`
	Functions int `json:"functions"` // declared functions, methods and function literals
	Variables int `json:"variables"` // package-level, fields, parameters and locals
}

// A Narrowing is what of a program is used concurrently. It is safe for concurrent use.
type Narrowing struct {
	Before                      Counts
	Types, Functions, Variables []*Finding // sorted by position; read through the methods while a search runs

	p   *Program
	ids *index

	mu     sync.RWMutex
	vars   map[*types.Var]*Finding
	funcs  map[ast.Node]*Finding
	types  map[*types.TypeName]*Finding
	heat   *heatMap
	waits  map[wait]string
	races  races
	raced  map[*types.Var]bool // what races are about, where that is known
	sorted bool                // somebody may read the findings, which are in order
}

// A wait is a place at which a failure saw a goroutine blocked.
type wait struct {
	file *File
	line int
}

func newNarrowing(p *Program, ids *index) *Narrowing {
	return &Narrowing{
		Before: ids.counts,
		p:      p,
		ids:    ids,
		vars:   map[*types.Var]*Finding{},
		funcs:  map[ast.Node]*Finding{},
		types:  map[*types.TypeName]*Finding{},
		heat:   newHeatMap(p, ids),
		waits:  map[wait]string{},
		raced:  map[*types.Var]bool{},
	}
}

// Shared reports whether a variable (package-level, field, or local) is among the findings.
func (n *Narrowing) Shared(v *types.Var) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return v != nil && n.vars[v.Origin()] != nil
}

// Concurrent reports whether a function (*ast.FuncDecl or *ast.FuncLit) is among the findings.
func (n *Narrowing) Concurrent(fn ast.Node) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.funcs[fn] != nil
}

// Accesses lists the uses of shared variables in a node, in source order,
// function literals inside it left out. A function as node is entered.
func (n *Narrowing) Accesses(f *File, node ast.Node) []Access {
	return n.SharedAmong(n.p.accesses(f.Package.Info, node))
}

// SharedAmong returns a list of those uses that are of shared variables, but for
// uses by functions of sync/atomic.
func (n *Narrowing) SharedAmong(uses []Access) []Access {
	n.mu.RLock()
	defer n.mu.RUnlock()
	var found []Access
	for _, a := range uses {
		if !a.atomic && n.vars[a.Var] != nil {
			found = append(found, a)
		}
	}
	return found
}

// Findings returns copies of the findings as they are now, by position: types,
// functions, variables. Unlike the fields it may be used while a search runs.
func (n *Narrowing) Findings() (types, functions, variables []Finding) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return values(n.Types), values(n.Functions), values(n.Variables)
}

func values(fs []*Finding) []Finding {
	out := make([]Finding, len(fs))
	for i, f := range fs {
		out[i] = *f
		out[i].Reasons = slices.Clone(f.Reasons)
	}
	return out
}

// addVar keeps a variable, and the type that declares it if it is a field. It
// returns how many findings are new. The caller holds n.mu.
func (n *Narrowing) addVar(v *types.Var, r Reason) int {
	v = v.Origin()
	if !n.p.owns(v) || v.Name() == "_" || isSync(v.Type()) {
		return 0
	}
	added := 0
	if f := n.vars[v]; f != nil {
		f.because(r)
	} else {
		f = &Finding{Kind: VariableFinding, Name: n.ids.varName(v), Object: v, Pos: n.p.Fset.Position(v.Pos()), Reasons: []Reason{r}}
		n.vars[v] = f
		n.Variables = n.insert(n.Variables, f)
		added++
	}
	if owner := n.ids.owner[v]; owner != nil {
		added += n.addType(owner, Reason{Source: r.Source, Detail: "has " + v.Name() + ": " + r.Detail})
	}
	return added
}

func (n *Narrowing) addType(t *types.TypeName, r Reason) int {
	if f := n.types[t]; f != nil {
		f.because(r)
		return 0
	}
	f := &Finding{Kind: TypeFinding, Name: t.Name(), Object: t, Pos: n.p.Fset.Position(t.Pos()), Reasons: []Reason{r}}
	n.types[t] = f
	n.Types = n.insert(n.Types, f)
	return 1
}

func (n *Narrowing) addFunc(fn *function, r Reason) int {
	if f := n.funcs[fn.node]; f != nil {
		f.because(r)
		return 0
	}
	f := &Finding{Kind: FunctionFinding, Name: fn.name, Object: fn.object(), Node: fn.node, Pos: n.p.Fset.Position(fn.node.Pos()), Reasons: []Reason{r}}
	n.funcs[fn.node] = f
	n.Functions = n.insert(n.Functions, f)
	return 1
}

// maxReasons bounds what is remembered of why a finding was kept.
const maxReasons = 8

func (f *Finding) because(r Reason) {
	if len(f.Reasons) < maxReasons && !slices.Contains(f.Reasons, r) {
		f.Reasons = append(f.Reasons, r)
	}
}

// insert puts a finding into a new slice at its place, so that readers of the old one
// are not disturbed. Before there are any, findings are only collected.
func (n *Narrowing) insert(fs []*Finding, f *Finding) []*Finding {
	if !n.sorted {
		return append(fs, f)
	}
	i, _ := slices.BinarySearchFunc(fs, f, byPosition)
	return slices.Insert(slices.Clone(fs), i, f)
}

// sort puts what was collected in order, for those who read it.
func (n *Narrowing) sort() {
	for _, fs := range [][]*Finding{n.Types, n.Functions, n.Variables} {
		slices.SortFunc(fs, byPosition)
	}
	n.sorted = true
}

func byPosition(a, b *Finding) int {
	return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Offset, b.Pos.Offset), strings.Compare(a.Name, b.Name))
}
