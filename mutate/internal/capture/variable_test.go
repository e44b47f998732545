package capture_test

import (
	"os"
	"path/filepath"
	"testing"

	"mendel/mutate"
	"mendel/mutate/internal/capture"
	"mendel/mutate/internal/mutatetest"
)

// The answers about v in the first start of each function.
func TestVariable(t *testing.T) {
	const header = "package p\n\nimport \"sync\"\n\nvar (\n\twg sync.WaitGroup\n\tuse func(...any)\n)\n\n"
	const (
		needs = 1 << iota
		feeds
		changes
		writes
		polls
		addressed
	)
	for name, c := range map[string]struct {
		src  string
		want int
	}{
		"read, then changed":             {"func f(v int) {\n\tgo func() { use(v) }()\n\tv = 2\n}", needs | changes},
		"changed before":                 {"func f(v int) {\n\tv = 2\n\tgo func() { use(v) }()\n}", needs},
		"changed in a loop":              {"func f(v int) {\n\tfor range 2 {\n\t\tv++\n\t\twg.Go(func() { use(v) })\n\t}\n}", needs | changes},
		"new in each turn":               {"func f() {\n\tfor v := 0; v < 2; v++ {\n\t\tgo func() { use(v) }()\n\t}\n}", needs},
		"changed in an earlier literal":  {"func f(v int) {\n\tset := func() { v = 2 }\n\tgo func() { use(v) }()\n\tset()\n}", needs | changes},
		"result":                         {"func f(v int) int {\n\twg.Go(func() { v = 2 })\n\twg.Wait()\n\treturn v\n}", feeds | writes},
		"overwritten result":             {"func f(v int) int {\n\tgo func() { v = 2; use(v) }()\n\tv = 3\n\treturn v\n}", changes | writes},
		"overwritten in a branch":        {"func f(v int) int {\n\tgo func() { v = 2; use(v) }()\n\tif v > 2 {\n\t\tv = 3\n\t}\n\treturn v\n}", feeds | changes | writes},
		"overwritten in the init":        {"func f(v int) {\n\tgo func() { v = 2; use(v) }()\n\tif v = 3; v > 2 {\n\t\tuse(v)\n\t}\n}", changes | writes},
		"read in a turn before":          {"func f(v int) {\n\tfor range 2 {\n\t\tuse(v)\n\t\tgo func() { v = 2; use(v) }()\n\t}\n}", feeds | writes},
		"named result, returned":         {"func f() (v int) {\n\tgo func() { v = 2; use(v) }()\n\treturn 1\n}", changes | writes},
		"named result, naked return":     {"func f() (v int) {\n\tgo func() { v = 2; use(v) }()\n\treturn\n}", feeds | writes},
		"a return of the goroutine's":    {"func f() (v int) {\n\tgo func() { v = 2; use(v); return }()\n\treturn 1\n}", changes | writes},
		"added to":                       {"func f(v int) {\n\tgo func() { v += 2; use(v) }()\n}", needs | writes},
		"written in one branch":          {"func f(v int) {\n\tgo func() {\n\t\tif use != nil {\n\t\t\tv = 2\n\t\t}\n\t\tuse(v)\n\t}()\n}", needs | writes},
		"written in an endless loop":     {"func f(v int) {\n\tgo func() {\n\t\tfor {\n\t\t\tv = 2\n\t\t\tif use != nil {\n\t\t\t\tbreak\n\t\t\t}\n\t\t}\n\t\tuse(v)\n\t}()\n}", writes},
		"written behind a break":         {"func f(v int) {\n\tgo func() {\n\t\tfor {\n\t\t\tif use != nil {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tv = 2\n\t\t}\n\t\tuse(v)\n\t}()\n}", needs | writes},
		"written by a receive":           {"func f(v int, in chan int) {\n\tgo func() {\n\t\tselect {\n\t\tcase v = <-in:\n\t\t\tuse(v)\n\t\t}\n\t}()\n}", writes},
		"written by a range":             {"func f(v int) {\n\tgo func() {\n\t\tfor v = range 3 {\n\t\t\tuse(v)\n\t\t}\n\t}()\n}", writes},
		"a field of it":                  {"func f(v struct{ n int }) {\n\tgo func() { v.n = 1; use(v) }()\n}", needs | writes},
		"an element of what it leads to": {"func f(v []int) {\n\tgo func() { v[0] = 1 }()\n}", needs},
		"an element of an array":         {"func f(v [2]int) {\n\tgo func() { v[0] = 1 }()\n}", needs | writes},
		"waited for":                     {"func f(v bool) {\n\tgo func() {\n\t\tfor !v {\n\t\t\tuse()\n\t\t}\n\t}()\n\tv = true\n}", needs | changes | polls},
		"its address":                    {"func f(v int) {\n\tgo func() { use(&v) }()\n}", needs | addressed},
		"a pointer method of it":         {"func f(v sync.Mutex) {\n\tgo func() { v.Lock() }()\n}", needs | addressed},
		"a slice of an array":            {"func f(v [2]int) {\n\tgo func() { use(v[:]) }()\n}", needs | addressed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := first(t, header+c.src+"\n")
			got := 0
			for bit, holds := range map[int]bool{
				needs: v.Needs(), feeds: v.Feeds(), changes: v.Changes(), writes: v.Writes(), polls: v.Polls(), addressed: v.Addressed(),
			} {
				if holds {
					got |= bit
				}
			}
			if got != c.want {
				t.Errorf("needs, feeds, changes, writes, polls, addressed are %06b, want %06b (the last first), of\n%s", got, c.want, c.src)
			}
		})
	}
}

// first is the variable v of the first start of a package.
func first(t *testing.T, src string) (found capture.Variable) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	ok := false
	look := func(fn *mutate.Function) []mutate.Edit {
		for _, s := range capture.Starts(fn) {
			for _, v := range s.Captured(fn) {
				if v.Var.Name() == "v" && !ok {
					found, ok = v, true
				}
			}
		}
		return nil
	}
	if _, err := mutate.NewSpace(p, n, []*mutate.Operator{{Name: "look", Edits: look}}); err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Fatal("no start captures v")
	}
	return found
}
