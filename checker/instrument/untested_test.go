package instrument

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const untestedModule = `
-- go.mod --
module example.com/p

go 1.26
-- p.go --
package p

var Count int

func Add() int { Count++; return Count }
-- p_test.go --
package p

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

type row struct{ n []int }

func (r *row) String() string { return fmt.Sprint(r.n, shown) }

var (
	shown   = make([]int, 1)           // a method may be called behind an interface
	hard    = make([]byte, 1<<20)      // of the benchmark
	tokens  = tokenise(1 << 10)        // of the benchmark
	parts   = strings.Fields("a b c")  // of the example
	output  = strings.Fields("d e f")  // of the example that is run
	seed    = fuzz()                   // of the fuzz test
	shared  = []*row{{}, {}}           // of the test and the benchmark
	helped  = map[string]*row{"a": {}} // of a function that the test calls
	counted = Add()                    // the function has an effect
	wrote   = write()                  // so has this one
	logged  = log()                    // and this one
	inits   = []*row{{}}               // of init
	Named   = []*row{{}}               // perhaps of another package
	rng     = rand.New(rand.NewSource(1))
	drawn   = rng.Intn(9)              // changes what the test uses
	words   = []string{"a", "b"}       // nobody changes it
	word    = words[0] + "x"           // of the benchmark
	written int
)

func tokenise(n int) (all []string) {
	for range n {
		all = append(all, strings.Repeat("x", rand.Intn(3)))
	}
	return all
}

func fuzz() []*row { return []*row{{}} }
func write() int   { written++; return written }
func log() int     { fmt.Println("x"); return 1 }
func help()        { helped["b"] = shared[0] }
func init()        { inits[0] = nil }

func TestX(t *testing.T) {
	help()
	_, _, _ = written, rng.Intn(9), words[0]
}

func BenchmarkX(b *testing.B) { _, _, _, _, _ = hard, tokens, shared, counted+wrote+logged+drawn, word }
func ExampleX()               { parts[0] = "z" }
func Example_printing() {
	output[0] = "z"
	fmt.Println(output)
	// Output: [z e f]
}
func FuzzX(f *testing.F)      { seed[0] = nil }
`

// What only benchmarks and the like use is not initialised again, unless that has
// effects.
func TestUntested(t *testing.T) {
	s := load(t, extract(t, txtar.Parse([]byte(untestedModule))), ".")
	for _, pkg := range s.program.Packages {
		var names []string
		for v := range maps.Keys(untested(pkg, factsOf(pkg))) {
			names = append(names, v.Name())
		}
		slices.Sort(names)
		if got, want := strings.Join(names, " "), "hard parts tokens word"; got != want {
			t.Errorf("%s: %s, want %s", pkg.Path, got, want)
		}
		var again []string
		for _, of := range planReset(pkg, pkg.Files, factsOf(pkg)).functions {
			for _, f := range of {
				again = append(again, namesOf(f.assigns)...)
			}
		}
		if slices.Contains(again, "parts") || !slices.Contains(again, "seed") || !slices.Contains(again, "output") || !slices.Contains(again, "shared") || !slices.Contains(again, "drawn") {
			t.Errorf("%s: initialised again are %q", pkg.Path, again)
		}
	}
}

func namesOf(list []*types.Initializer) (names []string) {
	for _, i := range list {
		names = append(names, i.Lhs[0].Name())
	}
	return names
}
