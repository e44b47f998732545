package locks_test

import (
	"fmt"
	"go/ast"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"mendel/analysis/analysistest"
	"mendel/analysis/locks"
)

// What the model says of random programs is compared with all their paths, which an
// interpreter follows: "always" and "never" are never wrong, and "maybe" is what it says
// of at most a fifth of the places where the truth is certain.
//
// A program has three functions and two locks, a Mutex and an RWMutex. Which way a branch
// goes nobody knows; a loop has up to two rounds. A path ends where a goroutine waits for
// itself or releases what is not held.
func TestSoundness(t *testing.T) {
	const programs = 150
	rng := rand.New(rand.NewPCG(1, 2))
	var list []*program
	var source strings.Builder
	source.WriteString("package p\n\nimport \"sync\"\n\nvar (\n\ta sync.Mutex\n\tb sync.RWMutex\n)\n\nfunc probe(int) {}\n\nfunc unknown() bool { return len(names) > 0 }\n\nvar names []string\n\n")
	for i := range programs {
		p := newProgram(rng, i)
		list = append(list, p)
		source.WriteString(p.source())
	}
	loaded := analysistest.Source(t, source.String())
	says := answers(t, locks.New(loaded), loaded.Packages[0].Files[0].AST)
	certain, unsure := 0, 0
	for _, p := range list {
		for probe, truth := range p.truths() {
			for lock, name := range lockNames {
				now := says[probe][name]
				held, free := truth[lock].held, truth[lock].free
				switch {
				case now == "always" && free, now == "never" && held:
					t.Errorf("probe %d: %s is said to be held %s; on some path it is held: %t, on some it is not: %t\n%s", probe, name, now, held, free, p.source())
				case held != free:
					certain++
					if now == "maybe" {
						unsure++
					}
				}
			}
		}
	}
	t.Logf("%d of %d certain answers are maybe", unsure, certain)
	if certain < 1000 {
		t.Errorf("only %d certain answers were compared", certain)
	}
	if unsure*5 > certain {
		t.Errorf("%d of %d certain answers are maybe", unsure, certain)
	}
}

var lockNames = []string{"example.com/p.a", "example.com/p.b"}

// answers are what the model says at each probe, by the lock's name.
func answers(t *testing.T, m *locks.Model, file *ast.File) map[int]map[string]string {
	says := make(map[int]map[string]string)
	for _, d := range file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		fn := m.Of(decl)
		statements(decl.Body, func(s ast.Stmt) {
			n := probeAt(s)
			if n < 0 {
				return
			}
			says[n] = map[string]string{lockNames[0]: "never", lockNames[1]: "never"}
			for _, h := range m.HeldAt(fn, s) {
				says[n][h.Path.String()] = "maybe"
				if h.Always {
					says[n][h.Path.String()] = "always"
				}
			}
		})
	}
	if len(says) == 0 {
		t.Fatal("no probes were found")
	}
	return says
}

// probeAt is the number of a probe; -1 of other statements.
func probeAt(s ast.Stmt) int {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return -1
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return -1
	}
	id, ok := call.Fun.(*ast.Ident)
	lit, isLit := call.Args[0].(*ast.BasicLit)
	if !ok || !isLit || id.Name != "probe" {
		return -1
	}
	n, err := strconv.Atoi(lit.Value)
	if err != nil {
		return -1
	}
	return n
}

// A program is three functions, each of which may call later ones.
type program struct {
	id     int
	probes int
	funcs  [3][]*stmt
}

// A stmt is a statement of a program.
type stmt struct {
	kind   string
	what   string // of op and defer: "a.Lock"
	n      int    // of a probe its number, of a call the function
	body   []*stmt
	orElse []*stmt
}

var operations = []string{"a.Lock", "a.Unlock", "b.Lock", "b.Unlock", "b.RLock", "b.RUnlock"}

func newProgram(rng *rand.Rand, id int) *program {
	p := &program{id: id}
	for i := range p.funcs {
		p.funcs[i] = p.list(rng, i, 3, false)
	}
	return p
}

func (p *program) list(rng *rand.Rand, fn, depth int, loop bool) []*stmt {
	var list []*stmt
	for range 1 + rng.IntN(4) {
		list = append(list, p.stmt(rng, fn, depth, loop)...)
		p.probes++
		list = append(list, &stmt{kind: "probe", n: p.id*1000 + p.probes})
	}
	switch r := rng.IntN(12); {
	case r == 0:
		list = append(list, &stmt{kind: "return"})
	case r == 1:
		list = append(list, &stmt{kind: "panic"})
	case r < 4 && loop:
		list = append(list, &stmt{kind: []string{"break", "continue"}[rng.IntN(2)]})
	}
	return list
}

// stmt makes a statement, or a section: an acquisition, what is under it, and a release.
func (p *program) stmt(rng *rand.Rand, fn, depth int, loop bool) []*stmt {
	if depth == 0 {
		return []*stmt{{kind: "op", what: operations[rng.IntN(len(operations))]}}
	}
	switch rng.IntN(9) {
	case 0:
		return []*stmt{{kind: "if", body: p.list(rng, fn, depth-1, loop), orElse: p.list(rng, fn, depth-1, loop)}}
	case 1:
		return []*stmt{{kind: "if", body: p.list(rng, fn, depth-1, loop)}}
	case 2:
		return []*stmt{{kind: "for", body: p.list(rng, fn, depth-1, true)}}
	case 3:
		if fn < len(p.funcs)-1 {
			return []*stmt{{kind: "call", n: fn + 1 + rng.IntN(len(p.funcs)-1-fn)}}
		}
	case 4:
		lock := rng.IntN(3) * 2
		return []*stmt{{kind: "op", what: operations[lock]}, {kind: "defer", what: operations[lock+1]}}
	case 5:
		return []*stmt{{kind: "try", body: p.list(rng, fn, depth-1, loop)}}
	case 6:
		return []*stmt{{kind: "op", what: operations[rng.IntN(len(operations))]}}
	}
	lock := rng.IntN(3) * 2
	list := append([]*stmt{{kind: "op", what: operations[lock]}}, p.list(rng, fn, depth-1, loop)...)
	return append(list, &stmt{kind: "op", what: operations[lock+1]})
}

func (p *program) source() string {
	var b strings.Builder
	for i, list := range p.funcs {
		fmt.Fprintf(&b, "func p%df%d() {\n", p.id, i)
		p.print(&b, list)
		b.WriteString("}\n\n")
	}
	return b.String()
}

func (p *program) print(b *strings.Builder, list []*stmt) {
	for _, s := range list {
		switch s.kind {
		case "op":
			fmt.Fprintf(b, "%s()\n", s.what)
		case "defer":
			fmt.Fprintf(b, "defer %s()\n", s.what)
		case "probe":
			fmt.Fprintf(b, "probe(%d)\n", s.n)
		case "call":
			fmt.Fprintf(b, "p%df%d()\n", p.id, s.n)
		case "panic":
			b.WriteString("panic(1)\n")
		case "if", "for", "try":
			fmt.Fprintf(b, "%s {\n", map[string]string{"if": "if unknown()", "for": "for unknown()", "try": "if a.TryLock()"}[s.kind])
			p.print(b, s.body)
			if s.orElse != nil {
				b.WriteString("} else {\n")
				p.print(b, s.orElse)
			}
			b.WriteString("}\n")
		default:
			b.WriteString(s.kind + "\n")
		}
	}
}

// A truth is whether a lock is held at a probe on some path, and whether it is not.
type truth struct{ held, free bool }

// maxPaths bounds the paths of one function; of one with more nothing is compared.
const maxPaths = 20_000

// truths follows all paths of each function from its entry, where nothing is held.
func (p *program) truths() map[int][2]truth {
	found := make(map[int][2]truth)
	for i := range p.funcs {
		seen := make(map[int][2]truth)
		if !p.paths(i, seen) {
			continue
		}
		for n, t := range seen {
			found[n] = t
		}
	}
	return found
}

// paths runs a function once for each sequence of choices.
func (p *program) paths(fn int, seen map[int][2]truth) bool {
	var choices []bool
	for range maxPaths {
		m := &machine{p: p, entry: fn, choices: choices, seen: seen}
		m.call(fn)
		choices = m.choices[:m.at]
		for len(choices) > 0 && choices[len(choices)-1] {
			choices = choices[:len(choices)-1]
		}
		if len(choices) == 0 {
			return true
		}
		choices[len(choices)-1] = true
	}
	return false
}

// A machine runs one path.
type machine struct {
	p       *program
	entry   int
	depth   int
	choices []bool
	at      int
	write   [2]int
	read    int
	seen    map[int][2]truth
}

// An outcome is how a list of statements is left.
type outcome int

const (
	goesOn outcome = iota
	breaks
	continues
	returns
	panics
	stuck // nothing runs any more
)

func (m *machine) choose() bool {
	if m.at == len(m.choices) {
		m.choices = append(m.choices, false)
	}
	m.at++
	return m.choices[m.at-1]
}

// call runs a function with its deferred calls.
func (m *machine) call(fn int) outcome {
	m.depth++
	defer func() { m.depth-- }()
	var deferred []string
	out := m.run(m.p.funcs[fn], &deferred)
	if out == stuck {
		return stuck
	}
	for i := len(deferred) - 1; i >= 0; i-- {
		if !m.operate(deferred[i]) {
			return stuck
		}
	}
	if out == panics {
		return panics
	}
	return goesOn
}

func (m *machine) run(list []*stmt, deferred *[]string) outcome {
	for _, s := range list {
		if out := m.step(s, deferred); out != goesOn {
			return out
		}
	}
	return goesOn
}

func (m *machine) step(s *stmt, deferred *[]string) outcome {
	switch s.kind {
	case "op":
		if !m.operate(s.what) {
			return stuck
		}
	case "defer":
		*deferred = append(*deferred, s.what)
	case "probe":
		m.probe(s.n)
	case "call":
		return m.call(s.n)
	case "if":
		if m.choose() {
			return m.run(s.body, deferred)
		}
		return m.run(s.orElse, deferred)
	case "try":
		if m.write[0] == 0 && m.choose() {
			m.write[0] = 1
			return m.run(s.body, deferred)
		}
	case "for":
		return m.loop(s, deferred)
	case "return":
		return returns
	case "panic":
		return panics
	case "break":
		return breaks
	case "continue":
		return continues
	}
	return goesOn
}

func (m *machine) loop(s *stmt, deferred *[]string) outcome {
	for range 2 {
		if !m.choose() {
			return goesOn
		}
		switch out := m.run(s.body, deferred); out {
		case breaks:
			return goesOn
		case returns, panics, stuck:
			return out
		}
	}
	return goesOn
}

// operate calls a lock's method; false where the path ends.
func (m *machine) operate(what string) bool {
	lock, method, _ := strings.Cut(what, ".")
	i := int(lock[0] - 'a')
	switch method {
	case "Lock":
		if m.write[i] > 0 || i == 1 && m.read > 0 {
			return false
		}
		m.write[i] = 1
	case "Unlock":
		if m.write[i] == 0 {
			return false
		}
		m.write[i] = 0
	case "RLock":
		if m.write[1] > 0 {
			return false
		}
		m.read++
	case "RUnlock":
		if m.read == 0 {
			return false
		}
		m.read--
	}
	return true
}

// probe notes what is held, in the function that was entered first.
func (m *machine) probe(n int) {
	if m.depth != 1 {
		return
	}
	now := m.seen[n]
	for i := range now {
		held := m.write[i] > 0 || i == 1 && m.read > 0
		now[i].held, now[i].free = now[i].held || held, now[i].free || !held
	}
	m.seen[n] = now
}
