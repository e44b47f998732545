package validate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/mutate"
)

func TestRank(t *testing.T) {
	fix := func(hash string, added, guarded int, time float64, flags ...mutate.Flag) *Fix {
		return &Fix{
			Mutant:  &mutate.Mutant{Hash: hash},
			Flags:   flags,
			Changed: Lines{Added: added},
			Guarded: guarded,
			Cost:    Cost{Pairs: 5, Time: time, Switches: 1},
		}
	}
	unmeasured := fix("h5", 2, 3, 0)
	unmeasured.Cost = Cost{}
	newLock := fix("h7", 2, 3, 0.5)
	newLock.NewLocks = []analysis.Lock{{Expr: "mu"}}
	blocking := fix("h8", 2, 0, 0.1)
	blocking.Quality.Blocking = []string{"a.go:1: time.Sleep"}
	long := fix("h9", 2, 0, 0.1)
	long.Quality.LongestSection = 7
	// Parallelism: about as much as the best, and clearly less.
	fast, near, slow := fix("p0", 9, 9, 1), fix("p1", 9, 9, 1), fix("p2", 1, 0, 0.1)
	fast.Parallel = Parallel{Rounds: 5, After: 2, Low: 1.9, High: 2}
	near.Parallel = Parallel{Rounds: 5, After: 1.75, Low: 1.7, High: 1.85}
	slow.Parallel = Parallel{Rounds: 5, After: 1.6, Low: 1.5, High: 1.75}
	flagged := fix("d0", 1, 1, 1, mutate.Nested)
	flagged.Parallel = slow.Parallel // no fix with the same flags is better
	want := []*Fix{
		fix("h1", 2, 1, 3),
		fix("h3", 2, 3, 0.5),
		fix("h4", 2, 3, 0.9),
		unmeasured, // counts as unchanged
		fix("h2", 2, 3, 1.2),
		fix("h6", 2, 3, 1.2), // a tie but for the hash
		newLock,
		long,
		blocking,
		fix("h0", 3, 0, 0.1),
		fast,
		near,
		slow,
		fix("b", 9, 9, 9, mutate.Blocks),
		fix("c", 1, 1, 1, mutate.Nested),
		flagged,
		fix("d", 1, 1, 1, mutate.Blocks, mutate.Nested),
		fix("e", 1, 1, 1, mutate.DropsGuard),
		fix("a", 0, 0, 0, mutate.Serialises),
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		got := slices.Clone(want)
		r.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		Rank(got)
		if !slices.Equal(got, want) {
			t.Fatalf("ranked %v, want %v", hashes(got), hashes(want))
		}
	}
}

func hashes(fixes []*Fix) []string {
	var out []string
	for _, f := range fixes {
		out = append(out, fmt.Sprintf("%s%v", f.Mutant.Hash, f.Flags))
	}
	return out
}

// A fix without what the tests do not exercise stays behind the one with it, whatever its
// flags, unless that is a workaround.
func TestRankPutsLessBehind(t *testing.T) {
	wide := &Fix{Mutant: &mutate.Mutant{Hash: "wide"}, Changed: Lines{Added: 9}}
	less := &Fix{Mutant: &mutate.Mutant{Hash: "less"}, Changed: Lines{Added: 1}, Wider: "wide"}
	other := &Fix{Mutant: &mutate.Mutant{Hash: "other"}, Changed: Lines{Added: 5}}
	largest := &Fix{Mutant: &mutate.Mutant{Hash: "largest"}, Changed: Lines{Added: 10}}
	fixes := []*Fix{less, largest, other, wide}
	if Rank(fixes); !slices.Equal(fixes, []*Fix{other, wide, less, largest}) {
		t.Errorf("ranked %v", hashes(fixes))
	}
	wide.Flags = []mutate.Flag{mutate.Blocks}
	if Rank(fixes); !slices.Equal(fixes, []*Fix{other, largest, wide, less}) {
		t.Errorf("ranked %v", hashes(fixes))
	}
	wide.Flags = []mutate.Flag{mutate.SharedLock}
	if Rank(fixes); !slices.Equal(fixes, []*Fix{less, other, largest, wide}) {
		t.Errorf("ranked %v", hashes(fixes))
	}
}
