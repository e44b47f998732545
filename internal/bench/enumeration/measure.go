package enumeration

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/types"
	"math/rand/v2"
	"runtime"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/operators"
	"mendel/mutate"
)

// A Breadth is what of a program is taken to be used concurrently.
type Breadth string

// Breadths.
const (
	Static     Breadth = "static"     // what the static analysis finds
	Everything Breadth = "everything" // all variables and functions
)

// A Measurement is a program's edits, and what it took to find them. Times are
// seconds of the processor, memory is in bytes.
type Measurement struct {
	Lines     int            `json:"lines"`     // of the program's files that may be edited, tests not counted
	Functions int            `json:"functions"` // concurrent ones
	First     int            `json:"first"`     // edits that are listed at first
	Edits     int            `json:"edits"`     // all; see All
	Added     int            `json:"added"`     // by the failures that the narrowing grew by
	Narrow    float64        `json:"narrow"`    // call graph and static narrowing
	Enumerate float64        `json:"enumerate"` // the edits that are listed at first
	Extend    float64        `json:"extend"`    // those that are new after the narrowing grew
	Rest      float64        `json:"rest"`      // all others; see All
	Live      int64          `json:"live"`      // heap that is in use after Extend: program, call graph and edits
	Digest    string         `json:"digest"`    // of all edits in their order: see Digest
	Operators map[string]int `json:"operators"` // edits by operator
	Space     *mutate.Space  `json:"-"`
}

// Seconds runs some work and returns the processor time it took.
func Seconds(work func() error) (float64, error) {
	begin := cpu()
	err := work()
	return (cpu() - begin).Seconds(), err
}

// Timed is Load, with the processor time that it took. What it has to fetch is
// fetched before.
func (s Source) Timed(ctx context.Context, below string) (p *analysis.Program, seconds float64, err error) {
	dir, err := s.find(ctx, below)
	if err != nil {
		return nil, 0, err
	}
	seconds, err = Seconds(func() error { p, err = s.load(ctx, dir); return err })
	return p, seconds, err
}

// Measure narrows a program, enumerates the edits that a search begins with, and once
// more after some failures, made up of its own lines and chosen by the seed, have named more.
// onPanic, if there is one, hears of panics of operators, now and later.
func Measure(ctx context.Context, p *analysis.Program, b Breadth, seed uint64, onPanic func(mutate.Panic)) (*Measurement, error) {
	m := &Measurement{Lines: lines(p), Operators: make(map[string]int)}
	var n *analysis.Narrowing
	var err error
	if m.Narrow, err = Seconds(func() error { n, err = analysis.Narrow(ctx, p); return err }); err != nil {
		return nil, fmt.Errorf("narrow: %w", err)
	}
	if b == Everything {
		n = analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return true })
	}
	_, functions, _ := n.Findings()
	m.Functions = len(functions)
	var options []mutate.Option
	if onPanic != nil {
		options = append(options, mutate.OnPanic(onPanic))
	}
	m.Enumerate, err = Seconds(func() error { m.Space, err = mutate.NewSpace(p, n, operators.All(), options...); return err })
	if err != nil {
		return nil, fmt.Errorf("enumerate: %w", err)
	}
	m.First = len(m.Space.Edits())
	for _, f := range failures(p, n, rand.New(rand.NewPCG(seed, 1))) {
		n.Learn(analysis.Dynamic, f)
	}
	m.Extend, _ = Seconds(func() error { m.Added = len(m.Space.Extend()); return nil })
	var heap runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&heap)
	m.Live = int64(heap.HeapAlloc)
	runtime.KeepAlive(n)
	return m, nil
}

// All enumerates the edits that are left, and counts all.
func (m *Measurement) All() error {
	m.Rest, _ = Seconds(func() error {
		for m.Space.Widen() {
		}
		return nil
	})
	edits := m.Space.Edits()
	m.Edits = len(edits)
	for i := range edits {
		m.Operators[edits[i].Operator]++
	}
	var err error
	m.Digest, err = Digest(edits)
	return err
}

// Digest is a hash of edits, in their order and with all that is stored of them. Two
// revisions of Mendel that enumerate a program alike have the same.
func Digest(edits []mutate.Edit) (string, error) {
	h := sha256.New()
	for i := range edits {
		data, err := json.Marshal(&edits[i])
		if err != nil {
			return "", fmt.Errorf("digest of the edits: %w", err)
		}
		h.Write(append(data, '\n'))
	}
	return hex.EncodeToString(h.Sum(nil))[:digestLength], nil
}

// digestLength is that of a digest in hexadecimal digits: enough to tell a few revisions apart.
const digestLength = 12

// lines counts the lines of the files that may be edited.
func lines(p *analysis.Program) int {
	n := 0
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			if !f.Test && !f.Generated {
				n += bytes.Count(f.Source, []byte("\n"))
			}
		}
	}
	return n
}

// A use is a place where a field is used.
type use struct {
	decl ast.Decl
	at   evidence.Frame
}

// failures makes up a race on a field that the narrowing does not know, as a run of
// a mutant may show one; on any field where it knows them all.
func failures(p *analysis.Program, n *analysis.Narrowing, random *rand.Rand) []evidence.Failure {
	uses, order := fieldUses(p)
	var unknown, all []*types.Var
	for _, v := range order {
		if !slices.ContainsFunc(uses[v], func(u use) bool { return u.decl != uses[v][0].decl }) {
			continue
		}
		all = append(all, v)
		if !n.Shared(v) {
			unknown = append(unknown, v)
		}
	}
	if len(unknown) == 0 {
		unknown = all
	}
	if len(unknown) == 0 {
		return nil
	}
	of := uses[unknown[random.IntN(len(unknown))]]
	return []evidence.Failure{{Kind: evidence.Race, Message: "made up", Stacks: []evidence.Stack{
		{Role: "write", Frames: []evidence.Frame{of[0].at}},
		{Role: "previous read", Frames: []evidence.Frame{of[len(of)-1].at}},
	}}}
}

// fieldUses finds the uses of fields in the functions of a program, and lists the
// fields in the order of their first ones.
func fieldUses(p *analysis.Program) (uses map[*types.Var][]use, order []*types.Var) {
	uses = make(map[*types.Var][]use)
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			if f.Test || f.Generated {
				continue
			}
			for _, d := range f.AST.Decls {
				if _, ok := d.(*ast.FuncDecl); !ok {
					continue
				}
				ast.Inspect(d, func(node ast.Node) bool {
					sel, ok := node.(*ast.SelectorExpr)
					if !ok {
						return true
					}
					if s := pkg.Info.Selections[sel]; s != nil && s.Kind() == types.FieldVal {
						v := s.Obj().(*types.Var).Origin()
						if uses[v] == nil {
							order = append(order, v)
						}
						at := p.Fset.Position(sel.Pos())
						uses[v] = append(uses[v], use{d, evidence.Frame{File: f.Name, Line: at.Line}})
					}
					return true
				})
			}
		}
	}
	return uses, order
}
