package checker

import (
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/internal/sample"
)

// Variables that mutants add to a group of others, and those whose initialisation they change.
func TestVariantsAddToGroup(t *testing.T) {
	dir := module(t, map[string]string{
		"n.go":      "package zoo\n\nimport \"sync\"\n\nvar (\n\tmu sync.Mutex\n\n\t// n is counted.\n\tn = first() // from here\n)\n\nfunc first() int { return 1 }\n\nfunc add() {\n\tn++\n}\n",
		"n_test.go": "package zoo\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tdone := make(chan bool)\n\tgo func() {\n\t\tadd()\n\t\tclose(done)\n\t}()\n\tadd()\n\t<-done\n\tif n != 3 {\n\t\tt.Error(n)\n\t}\n}\n",
	})
	c := load(t, dir, analysis.Target{}, Config{Workers: 1})
	field := func(decl string, changes ...change) map[string][]byte {
		return mutant(t, c, append(changes, change{"n.go", "\tmu sync.Mutex\n", decl})...)
	}
	sets := []map[string][]byte{
		mutant(t, c, change{"n.go", "\tn++\n", "\tmu.Lock()\n\tn++\n\tmu.Unlock()\n"}),
		field("\tmu  sync.Mutex\n\tnMu sync.Mutex // guards n\n", change{"n.go", "\tn++\n", "\tnMu.Lock()\n\tdefer nMu.Unlock()\n\tn++\n"}),
		field("\tmu  sync.Mutex\n\tnMu sync.RWMutex\n", change{"n.go", "\tn++\n", "\tnMu.RLock()\n\tdefer nMu.RUnlock()\n\tn++\n"}), // declares it otherwise
		field("\tmu    sync.Mutex\n\tadded sync.Mutex\n", change{"n.go", "\tn++\n", "\n\tadded.Lock()\n\tn++\n\tadded.Unlock()\n\tpanic(n)\n"}),
		mutant(t, c, change{"n.go", "n = first()", "n = first() + 1"}),
	}
	same(t, c, sets)
	if n := c.Builds(); n.Variants != 3 {
		t.Errorf("%+v: want three programs to be variants", n)
	}
}

// Two mutants add a variable of one name to different files of a package: the other mutants do
// not suffer from it.
func TestVariantsDeclareInSeveralFiles(t *testing.T) {
	sample.Whole(t, "TestVariantsAddToGroup has mutants that declare variables")
	file := func(name string) string {
		return "package zoo\n\nimport \"sync\"\n\nvar " + name + "Mu sync.Mutex\n\nfunc " + name + "() {\n\tn++\n}\n"
	}
	dir := module(t, map[string]string{
		"a.go": file("a"), "b.go": file("b"), "n.go": "package zoo\n\nvar n int\n",
		"n_test.go": "package zoo\n\nimport \"testing\"\n\nfunc TestBoth(t *testing.T) {\n\tdone := make(chan bool)\n\tgo func() {\n\t\ta()\n\t\tclose(done)\n\t}()\n\tb()\n\t<-done\n}\n",
	})
	c := load(t, dir, analysis.Target{}, Config{Workers: 1})
	guard := func(in, variable string) map[string][]byte {
		name := in + ".go"
		return mutant(t, c, change{name, "var " + in + "Mu", "var " + variable + " sync.Mutex\n\nvar " + in + "Mu"}, change{name, "\tn++\n", "\t" + variable + ".Lock()\n\tn++\n\t" + variable + ".Unlock()\n"})
	}
	same(t, c, []map[string][]byte{guard("a", "mu"), guard("b", "mu"), guard("b", "other"), mutant(t, c, change{"a.go", "\tn++\n", "\taMu.Lock()\n\tn++\n\taMu.Unlock()\n"})})
	if n := c.Builds(); n.Variants != 3 {
		t.Errorf("%+v: want three programs to be variants", n)
	}
}

// The bodies of loops over functions are numbered through all variants.
func TestVariantsOfLoopsOverFunctions(t *testing.T) {
	dir := module(t, map[string]string{
		"n.go":      "package zoo\n\nimport \"iter\"\n\nfunc upTo(n int) iter.Seq[int] {\n\treturn func(yield func(int) bool) {\n\t\tfor i := range n {\n\t\t\tif !yield(i) {\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t}\n}\n\nvar n, m int\n\nfunc add() {\n\tfor i := range upTo(1) {\n\t\tn += i\n\t\tfor range upTo(1) {\n\t\t\tn++\n\t\t}\n\t}\n}\n",
		"n_test.go": "package zoo\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tdone := make(chan bool)\n\tgo func() {\n\t\tadd()\n\t\tclose(done)\n\t}()\n\tadd()\n\t<-done\n}\n",
	})
	c := load(t, dir, analysis.Target{Flags: []string{"-gcflags=-l"}}, Config{Workers: 1})
	sets := []map[string][]byte{
		nil,
		mutant(t, c, change{"n.go", "n += i", "n -= i"}),
		mutant(t, c, change{"n.go", "n += i", "for range upTo(1) {\n\t\t\tn += i\n\t\t}"}),
		mutant(t, c, change{"n.go", "n++", "m++"}),
	}
	all := same(t, c, sets)
	if n := c.Builds(); n.Variants != len(sets) || !strings.Contains(all[0], "add-range1") {
		t.Errorf("%+v: want all programs to be variants, and failures in loops", n)
	}
}

// Mutants that change a type, a signature or an initial value alike share an executable, of
// which one of them is the original.
func TestVariantsOfChangedDeclarations(t *testing.T) {
	dir := module(t, map[string]string{
		"n.go":      "package zoo\n\nimport \"sync\"\n\nvar first = 1\n\ntype counter struct {\n\tmu sync.Mutex\n\tn  int\n}\n\nfunc (c *counter) add(by int) {\n\tc.n += by\n}\n\nfunc (c *counter) get() int {\n\treturn c.n\n}\n\nfunc start() *counter {\n\tc := &counter{n: first}\n\tgo func() { c.add(1) }()\n\treturn c\n}\n",
		"n_test.go": "package zoo\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tc := start()\n\tc.add(2)\n\tif c.get() == 3 {\n\t\tt.Error(c.get())\n\t}\n}\n",
	})
	c := load(t, dir, analysis.Target{Flags: []string{"-gcflags=-l"}}, Config{Workers: 1})
	v := func(old, new string) change { return change{"n.go", old, new} }
	counts := []change{
		v("\tn  int\n", "\n\t// n is atomic.\n\tn atomic.Int64\n"), v("import \"sync\"\n", "import (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n"),
		v("c.n += by", "c.n.Add(int64(by))"), v("return c.n", "return int(c.n.Load())"), v("c := &counter{n: first}", "c := &counter{}"),
	}
	twice := func(text string, more ...change) map[string][]byte {
		all := append([]change(nil), counts...)
		all[2] = v("c.n += by", text)
		return mutant(t, c, append(all, more...)...)
	}
	sets := []map[string][]byte{
		mutant(t, c, v("\tc.n += by\n", "\tc.mu.Lock()\n\tc.n += by\n\tc.mu.Unlock()\n")),
		mutant(t, c, counts...),
		mutant(t, c, v("return c.n", "c.mu.Lock()\n\tdefer c.mu.Unlock()\n\treturn c.n")),
		twice("c.n.Store(c.n.Load() + int64(by))"),
		twice("\n\tfunc() {\n\t\tpanic(by)\n\t}()", v("\tmu sync.Mutex\n", "\tmu sync.Mutex\n\n\tother sync.Mutex\n")),
		mutant(t, c, v("var first = 1", "var first = 4")),
		mutant(t, c, v("var first = 1", "var first = 4"), v("\tc.n += by\n", "\tc.n -= by\n")),
		mutant(t, c, v("add(by int)", "add(by ...int)"), v("c.n += by", "c.n += len(by)")),
	}
	all := same(t, c, sets)
	n := c.Builds()
	if n.Variants != len(sets)-1 || n.By["checker, variants"] != 3 || n.Alone["a signature changed"] != 1 {
		t.Errorf("%+v: want all programs but one to be variants, in three executables", n)
	}
	for i, want := range map[int]string{0: "test-failure: ", 3: "test-failure: ", 4: "(*counter).add.func1", 6: "race: "} {
		if !strings.Contains(all[i], want) {
			t.Errorf("program %d does not say %q:\n%s", i, want, all[i])
		}
	}

	if !sample.All() { // TestCombinationsAreTheSame combines, too
		return
	}

	// What combines variants of one of these executables needs no build.
	before := c.Builds()
	same(t, c, []map[string][]byte{twice("c.n.Store(c.n.Load() + int64(by))", v("\tmu sync.Mutex\n", "\tmu sync.Mutex\n\n\tother sync.Mutex\n"))})
	if n := c.Builds(); n.Variants != before.Variants+1 {
		t.Errorf("%+v after %+v: want a variant", n, before)
	}
}

// Whoever waits for programs that share executables does not wait for the others.
func TestBuildTogether(t *testing.T) {
	c := load(t, module(t, map[string]string{"box.go": box, "box_test.go": boxTest, "itself.go": "package zoo\n\nimport \"os\"\n\nfunc itself() (string, error) { return os.Executable() }\n"}), analysis.Target{}, Config{})
	unlocked := change{"box.go", "b.mu.Lock()\n", ""}
	built, err := c.BuildTogether(t.Context(), []map[string][]byte{nil, mutant(t, c, unlocked), mutant(t, c, change{"box.go", "n  int", "n  int64"}), mutant(t, c, change{"box.go", "n  int", "n  }"})})
	if err != nil {
		t.Fatal(err)
	}
	if built[0].Binary == nil || built[1].Binary == nil || built[2].Binary != nil || built[2].Err != nil || built[3].Err == nil {
		t.Errorf("%+v: want two that share, one that is left, and an error", built)
	}
	if n := c.Builds(); n.Executables != 1 || n.Alone["a type changed"] != 1 || len(n.Alone) != 1 {
		t.Errorf("%+v: want one executable, and a program that does not fit", n)
	}
	for _, b := range built[:2] {
		if err := b.Binary.Close(); err != nil {
			t.Error(err)
		}
	}
}
