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
	want := []*Fix{
		fix("h1", 2, 1, 3),
		fix("h3", 2, 3, 0.5),
		fix("h4", 2, 3, 0.9),
		unmeasured, // counts as unchanged
		fix("h2", 2, 3, 1.2),
		fix("h6", 2, 3, 1.2), // a tie but for the hash
		newLock,
		fix("h0", 3, 0, 0.1),
		fix("b", 9, 9, 9, mutate.Blocks),
		fix("c", 1, 1, 1, mutate.Nested),
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
