package checker

import (
	"strings"
	"testing"

	"mendel/analysis"
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
