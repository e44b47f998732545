package scenario

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis"
)

// most is how many scenarios are made for a patch at most: each takes tens of milliseconds of
// exploring, and those that come first have most to do with it.
const most = 60

// A Scenario is calls side by side on a prepared value.
type Scenario struct {
	Name  string   // of its test: "TestMendelScenario3"
	Calls []string // "Hub.Publish", "Hub.Stats"
	Donor string   // the test that prepares the value; "": none does

	suite   *Suite
	donor   *donor
	calls   []*call
	full    bool // prepared with what the donor does next, too
	getters []*call
	workers bool   // the value starts goroutines: what calls come to depends on them
	back    *call  // made by the functions that the value is prepared with; nil: they are as they are
	ends    string // the call that ends the life of the value, where no call and not the donor does; "": none
	number  int
	most    int      // calls that succeed in an order one after the other; negative: not compared
	outcome []string // of the original's calls one after the other; none: not compared
}

// String names the calls and the donor.
func (s *Scenario) String() string {
	text := strings.Join(s.Calls, " beside ")
	if s.Donor != "" {
		text += ", prepared as in " + s.Donor
	}
	if s.back != nil {
		text += " with " + s.back.name + " in its functions"
	}
	return text
}

// A Suite is the scenarios for a patch.
type Suite struct {
	Scenarios []*Scenario

	maker *maker
	left  []string // goroutines that the original's calls leave waiting, as checker.Search.Standing has them
	// unsettled are scenarios of which it is not known what the original leaves waiting: something else failed first.
	unsettled map[*Scenario]bool
}

// Make writes scenarios for what a patch touches. Their order is that of their use.
func Make(p *analysis.Program, t Touch) *Suite {
	m := newMaker(p, t)
	s := &Suite{maker: m}
	for _, d := range m.chosen() {
		s.of(d)
	}
	s.order()
	return s
}

// of makes the scenarios of a donor: pairs of calls, calls that wait twice beside another one that may
// end the wait, and pairs in which the functions that the value was given call it.
func (s *Suite) of(d *donor) {
	calls := s.maker.calls(d)
	if !slices.ContainsFunc(calls, func(c *call) bool { return c.concerns }) {
		return // the patch has nothing to do with the value
	}
	x := Scenario{suite: s, donor: d, getters: s.maker.getters(d, calls), ends: s.maker.end(d), workers: s.maker.startsFor(d)}
	for i, a := range calls {
		for _, b := range calls[i:] {
			if a.runs && a.fn == b.fn || !a.writes && !b.writes && !a.concerns && !b.concerns {
				continue // it has nothing to do with the patch, and nothing to see
			}
			second := b
			if b.mirror != nil {
				second = b.mirror
			}
			s.add(x, a, second)
			if back := s.maker.backCall(d, calls); back != nil && (a.touches || b.touches) {
				again := x
				again.back = back
				s.add(again, a, second)
			}
		}
	}
	near := func(c *call) bool { return c.touches }
	if !slices.ContainsFunc(calls, near) { // the patch changes how the value is made
		near = func(c *call) bool { return c.concerns }
	}
	for _, a := range calls {
		for _, b := range calls {
			if a != b && a.waits && !a.runs && (near(a) || near(b)) && !a.callsBack && !b.callsBack {
				s.add(x, a, a, b)
			}
		}
	}
}

// add adds a scenario, prepared in full and, where that is less, as little as can be.
func (s *Suite) add(x Scenario, calls ...*call) {
	x.calls, x.Calls, x.Donor = calls, nil, x.donor.test
	for _, c := range calls {
		x.Calls = append(x.Calls, c.name)
		if c.closes {
			x.ends = ""
		}
	}
	for _, full := range []bool{true, false} {
		if full && len(x.donor.populate) == 0 {
			continue
		}
		y := x
		y.most = -1
		y.full = full
		s.Scenarios = append(s.Scenarios, &y)
	}
}

// end is the call that ends the life of a donor's subject; "": there is none, or the donor makes it.
func (m *maker) end(d *donor) string {
	if d.name == "" {
		return ""
	}
	for _, s := range d.ends {
		sel, ok := s.(*ast.DeferStmt).Call.Fun.(*ast.SelectorExpr)
		if ok && slices.Contains(closers, sel.Sel.Name) && mentions(d.file.Package.Info, sel.X, map[*types.Var]bool{d.subject: true}) {
			return ""
		}
	}
	for _, name := range closers {
		o, _, _ := types.LookupFieldOrMethod(d.typ, true, d.file.Package.Types, name)
		if fn, ok := o.(*types.Func); ok {
			if text, ok := m.callText(d, fn, fn.Signature(), d.name+"."+name, d.name); ok {
				return text
			}
		}
	}
	return ""
}

// order puts first what has most to do with the patch, keeps as many scenarios as are made at most, and names them.
func (s *Suite) order() {
	rank := func(x *Scenario) int {
		n := 0
		for _, c := range x.calls {
			switch {
			case c.touches:
			case c.concerns:
				n++
			default:
				n += 3
			}
		}
		if !x.full && len(x.donor.populate) > 0 {
			n += 2
		}
		if x.back != nil {
			n++
		}
		if len(x.calls) > 2 {
			n += 3
		}
		if x.donor.second {
			n += 2
		}
		if !slices.ContainsFunc(x.calls, func(c *call) bool { return c.writes }) {
			n += 4
		}
		return n
	}
	slices.SortStableFunc(s.Scenarios, func(a, b *Scenario) int { return cmp.Compare(rank(a), rank(b)) })
	s.Scenarios = s.Scenarios[:min(len(s.Scenarios), most)]
	for i, x := range s.Scenarios {
		x.number = i + 1
		x.Name = fmt.Sprintf("TestMendelScenario%d", x.number)
	}
}

// chosen are the donors of values with methods that concern the patch, two of each type at
// most: those that do most with it without a loop, which costs steps.
func (m *maker) chosen() []*donor {
	var all []*donor
	for _, pkg := range m.program.Packages {
		if pkg.Dir != m.program.Packages[0].Dir {
			continue // the tests of other packages are not run
		}
		for _, f := range pkg.Files {
			if !f.Test {
				continue
			}
			for _, d := range f.AST.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && isTestFunction(fd) {
					all = append(all, m.donors(f, fd)...)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *donor) int {
		return cmp.Or(cmp.Compare(a.loops(), b.loops()), cmp.Compare(len(b.populate), len(a.populate)))
	})
	all = append(all, m.made(all)...)
	count := map[*types.TypeName]int{}
	return slices.DeleteFunc(all, func(d *donor) bool {
		if d.named == nil {
			return false
		}
		count[d.named.Obj()]++
		d.second = count[d.named.Obj()] > 1
		return count[d.named.Obj()] > 2 || d.second && d.loops() > 0
	})
}

// getters are the calls without arguments that tell the state of the subject as plain data
// and change nothing. Where there are none, they are the calls that tell something and do not wait.
func (m *maker) getters(d *donor, calls []*call) []*call {
	var all, others []*call
	for _, c := range calls {
		if !slices.Equal(c.results, []result{print}) {
			continue
		}
		switch {
		case c.fn.Signature().Params().Len() == 0 && !m.writes(c.fn):
			all = append(all, c)
		case !c.waits && !strings.Contains(c.text, other):
			others = append(others, c)
		}
	}
	if len(all) == 0 {
		all = others[:min(len(others), 2)]
	}
	return all
}

// writes says whether a function, or one that it reaches, assigns to anything but local variables, or
// communicates.
func (m *maker) writes(fn *types.Func) bool {
	for f := range m.reach(fn).functions {
		b := m.bodies[f]
		if b == nil {
			return true
		}
		found := false
		ast.Inspect(b.decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					found = found || !isLocal(b.file.Package.Info, l)
				}
			case *ast.IncDecStmt:
				found = found || !isLocal(b.file.Package.Info, n.X)
			case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
				found = true
			case *ast.UnaryExpr:
				found = found || n.Op.String() == "<-"
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// isLocal says whether an assigned expression is a local variable, or an element of one.
func isLocal(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.ObjectOf(e).(*types.Var)
		return e.Name == "_" || ok && !isPackageVariable(v)
	case *ast.IndexExpr:
		return isLocal(info, e.X)
	}
	return false
}

// file is the name of the driver file beside a donor's file.
func driverFile(f *analysis.File) string {
	base := filepath.Base(f.Name)
	return filepath.Join(filepath.Dir(f.Name), "zz_mendel_scenario_"+base[:len(base)-len("_test.go")]+"_test.go")
}
