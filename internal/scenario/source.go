package scenario

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
)

// What a driver file has beside its scenarios.
const helper = `
// mendelCalls makes calls, at once or in an order, and says what they and the state came to. In an
// order each begins when the one before has ended or waits for another.
func mendelCalls%[1]s(order []int, state func() string, calls ...func() string) string {
	came, done := make([]string, len(calls)), make([]chan struct{}, len(calls))
	start := func(i int) {
		done[i] = make(chan struct{})
		go func() {
			defer close(done[i])
			came[i] = calls[i]()
		}()
	}
	for _, i := range order {
		start(i)
		select {
		case <-done[i]:
		case <-time.After(time.Hour):
		}
	}
	if len(order) == 0 {
		for i := range calls {
			start(i)
		}
	}
	for i := range calls {
		<-done[i]
	}
	return fmt.Sprintf("%%q, then %%s", came, state())
}
`

// counter counts the calls that succeed, in what mendelCalls says.
const counter = `
func mendelSuccesses%[1]s(came string) int {
	calls, _, _ := strings.Cut(came, "], then ")
	return strings.Count(calls, "succeeds") + strings.Count(calls, "\"true\"")
}
`

// files are the driver files of a suite by their names.
func (s *Suite) files() map[string][]byte {
	all := map[string][]byte{}
	for _, f := range s.donorFiles() {
		all[driverFile(f)] = s.write(f, s.inFile(f))
	}
	return all
}

// donorFiles are the files of the donors of a suite, in the order of their scenarios.
func (s *Suite) donorFiles() []*analysis.File {
	var all []*analysis.File
	for _, x := range s.Scenarios {
		if !slices.Contains(all, x.donor.file) {
			all = append(all, x.donor.file)
		}
	}
	return all
}

// inFile are the scenarios whose donors are in a file.
func (s *Suite) inFile(f *analysis.File) []*Scenario {
	var some []*Scenario
	for _, x := range s.Scenarios {
		if x.donor.file == f {
			some = append(some, x)
		}
	}
	return some
}

// imports are the packages that driver files may import although their package does not.
func (s *Suite) imports() []string {
	all := map[string]bool{"fmt": true, "slices": true, "strings": true, "testing": true, "time": true}
	for _, more := range s.maker.imports {
		for path := range more {
			all[path] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// suffix tells helpers of one package's driver files apart.
func suffix(f *analysis.File) string {
	var b strings.Builder
	for _, r := range driverFile(f)[strings.LastIndexAny(driverFile(f), `/\`)+1:] {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// write is the source of a driver file.
func (s *Suite) write(f *analysis.File, some []*Scenario) []byte {
	var b strings.Builder
	for _, x := range some {
		x.write(&b, suffix(f))
	}
	for _, g := range groups(f, some) {
		g.write(&b)
	}
	body := b.String() + fmt.Sprintf(helper, suffix(f)) + fmt.Sprintf(counter, suffix(f))
	head := "package " + f.AST.Name.Name + "\n\n" + s.importDecl(f, body)
	text, err := format.Source([]byte(head + body))
	if err != nil {
		return []byte(head + body) // the compiler says what is wrong with it
	}
	return text
}

// importDecl is the import declaration that a text needs in the place of a file.
func (s *Suite) importDecl(f *analysis.File, body string) string {
	used := map[string]bool{}
	tree, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+body, 0)
	if err == nil {
		for _, id := range tree.Unresolved {
			used[id.Name] = true
		}
	}
	lines := map[string]bool{}
	for _, spec := range f.AST.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		name := importName(f, path)
		if !used[name] && name != "." {
			continue
		}
		line := spec.Path.Value
		if spec.Name != nil {
			line = spec.Name.Name + " " + line
		}
		lines[line] = true
	}
	more := maps.Clone(s.maker.imports[f])
	if more == nil {
		more = map[string]string{}
	}
	for _, own := range []string{"fmt", "slices", "strings", "testing", "time"} {
		if importName(f, own) == "" {
			more[own] = own
		}
	}
	for path, name := range more {
		if used[name] && importName(f, path) == "" {
			lines[fmt.Sprintf("%q", path)] = true
		}
	}
	return "import (\n\t" + strings.Join(slices.Sorted(maps.Keys(lines)), "\n\t") + "\n)\n"
}

// write writes the function of a scenario and its tests.
func (x *Scenario) write(b *strings.Builder, suffix string) {
	d := x.donor
	fmt.Fprintf(b, "\n// %s.\nfunc mendelScenario%d(%s *testing.T, mendelOrder ...int) string {\n", x, x.number, d.t)
	stmts := slices.Clone(d.prepare)
	if x.full {
		stmts = append(stmts, d.populate...)
	}
	stmts = append(stmts, d.start...)
	if slices.ContainsFunc(x.calls, func(c *call) bool { return c.closes }) {
		stmts = append(stmts, x.otherEnds()...)
	} else {
		stmts = append(stmts, d.ends...)
	}
	slices.SortFunc(stmts, func(a, b ast.Stmt) int { return cmp.Compare(a.Pos(), b.Pos()) })
	if d.made != "" {
		b.WriteString(d.made)
	}
	if x.usesOther() {
		x.writeOther(b)
	}
	for _, s := range stmts {
		if x.back != nil && s == d.declaring() {
			b.WriteString(x.withCallback() + "\n")
		} else {
			b.WriteString(source(d.file, s) + "\n")
		}
		for _, v := range declared(d.file.Package.Info, s) {
			fmt.Fprintf(b, "_ = %s\n", v.Name())
			if _, made := s.(*ast.AssignStmt); made && v == d.subject && hasNil(v.Type()) { // refused, as when time is over
				fmt.Fprintf(b, "if %s == nil {\n%s.Skip()\n}\n", v.Name(), d.t)
			}
		}
	}
	if x.ends != "" {
		fmt.Fprintf(b, "defer %s\n", x.ends)
	}
	fmt.Fprintf(b, "return mendelCalls%s(mendelOrder, func() string {\n", suffix)
	var state []string
	for _, g := range x.getters { // each is printed before the next is asked: what one gives may be changed by the other
		state = append(state, "fmt.Sprint("+g.text+")")
	}
	fmt.Fprintf(b, "return fmt.Sprint(%s)\n}", strings.Join(state, `, " ", `))
	for _, c := range x.calls {
		b.WriteString(", " + c.literal(d))
	}
	b.WriteString(")\n}\n")
	x.writeTests(b, suffix)
}

// hasNil says whether a subject of a type may be nil.
func hasNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// usesOther says whether a call has a second value like the subject.
func (x *Scenario) usesOther() bool {
	return slices.ContainsFunc(x.calls, func(c *call) bool { return strings.Contains(c.text, other) })
}

// writeOther writes the preparation of a second value.
func (x *Scenario) writeOther(b *strings.Builder) {
	d := x.donor
	name := x.suite.maker.typeNameOf(d)
	fmt.Fprintf(b, "%s := func() %s {\n", other, name)
	b.WriteString(d.made)
	for _, s := range d.prepare {
		b.WriteString(source(d.file, s) + "\n")
		for _, v := range declared(d.file.Package.Info, s) {
			fmt.Fprintf(b, "_ = %s\n", v.Name())
		}
	}
	fmt.Fprintf(b, "return %s\n}()\n", d.name)
}

// otherEnds are the deferred calls that do not end the life of the subject.
func (x *Scenario) otherEnds() []ast.Stmt {
	var some []ast.Stmt
	for _, s := range x.donor.ends {
		sel, ok := s.(*ast.DeferStmt).Call.Fun.(*ast.SelectorExpr)
		if ok && slices.Contains(closers, sel.Sel.Name) {
			continue
		}
		some = append(some, s)
	}
	return some
}

// writeTests writes the tests of a scenario: one after the other, in both orders, and side by side.
func (x *Scenario) writeTests(b *strings.Builder, suffix string) {
	for i, order := range x.orders() {
		fmt.Fprintf(b, "\nfunc %s(t *testing.T) {\n\tt.Errorf(\"came to: %%q\", mendelScenario%d(t, %s))\n}\n", x.ordered(i), x.number, orderText(order))
	}
	fmt.Fprintf(b, `
func %s(t *testing.T) {
	came, possible, most := mendelScenario%d(t), %#v, %d
	if len(possible) > 0 && !slices.Contains(possible, came) {
		t.Errorf("came to %%q, in no order one after the other: %%q", came, possible)
	}
	if n := mendelSuccesses%s(came); most >= 0 && n > most {
		t.Errorf("%%d calls succeed, in no order one after the other more than %%d: %%s", n, most, came)
	}
}
`, x.Name, x.number, append([]string{}, x.outcome...), x.most, suffix)
}

// orders are the orders of a scenario's calls.
func (x *Scenario) orders() [][]int {
	if len(x.calls) == 2 {
		return [][]int{{0, 1}, {1, 0}}
	}
	return [][]int{{0, 1, 2}, {0, 2, 1}, {2, 0, 1}} // the first two are the same
}

// ordered is the name of a test that makes the calls one after the other.
func (x *Scenario) ordered(i int) string {
	return fmt.Sprintf("TestMendelOrdered%d%c", x.number, 'A'+i)
}

// literal is a function that makes a call and says what it came to.
func (c *call) literal(d *donor) string {
	if len(c.results) == 0 {
		return "func() string {\n" + c.text + "\nreturn \"\"\n}"
	}
	var names, said, after []string
	for i, r := range c.results {
		name := fmt.Sprintf("mendelResult%d", i+1)
		names = append(names, name)
		switch r {
		case print:
			said = append(said, name)
		case failure:
			said = append(said, fmt.Sprintf("map[bool]string{true: \"succeeds\", false: \"fails\"}[%s == nil]", name))
		case isNil:
			said = append(said, name+" == nil")
		case read:
			said = append(said, name+" == nil")
			after = append(after, fmt.Sprintf("for _, mendelElement := range %s {\n_ = mendelElement\n}", name))
		case iterate:
			said = append(said, name+" == nil")
			after = append(after, fmt.Sprintf("for range %s {\n}", name))
		case invoke:
			said = append(said, name+" == nil")
			after = append(after, fmt.Sprintf("if %s != nil {\n%s()\n}", name, name))
		case release:
			said = append(said, name+" == nil")
			after = append(after, fmt.Sprintf("if %s != nil {\n%s.%s()\n}", name, name, releaser(c.fn.Signature().Results().At(i).Type())))
		case ignore:
			after = append(after, "_ = "+name)
		}
	}
	return "func() string {\n" + strings.Join(names, ", ") + " := " + c.text + "\nmendelSaid := fmt.Sprint(" + strings.Join(said, `, " ", `) + ")\n" +
		strings.Join(after, "\n") + "\nreturn mendelSaid\n}"
}
