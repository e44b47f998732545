package speed

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/internal/bench/tables"
)

// A machine whose hand-off is twice as slow gets twice the credit.
func TestNormalised(t *testing.T) {
	if got := normalised(10000, 400); got != 20000 {
		t.Errorf("10,000 per second at 400 ns count as %v at 200 ns, want 20,000", got)
	}
}

const wantSpeed = `go1.26.8, linux/amd64, 2 CPUs; medians of 5 rounds.

A scheduling step:

benchmark      ns    hand-offs
HandOff        200   1.00
Step           100   0.50
Switch/narrow  1100  5.50
Schedule       9000  45.00

Schedules per second in one process, TestRing, searches of 2s:

program             strategy  seconds         schedules/s  hand-off  schedules/s at 200 ns
account             random    0.2 (all done)  100          500 ns    250
account, corrected  random    2.0             15000        200 ns    15000
account, corrected  dfs       2.0             100          200 ns    100

All schedules of a bound, on one processor and on two; seconds without building:

program             test       preemptions  schedules  one    two    ratio
account, corrected  TestRing   1            1234       4.4 s  2.7 s  1.63
tsp, corrected      TestSolve  2            99         4.0 s  2.0 s  2.00

Building a subject with one file changed:

subject   go test -c  rewrite and build  ratio  load, rewrite and build  ratio
account   0.40 s      0.80 s             2.0    1.60 s                   4.0
pingpong  0.40 s      1.30 s             3.2    1.60 s                   4.0

Time to the bug:

subject   found   seconds  of them building  found by mendel check  seconds  failure
account   5 of 5  1.2      1.0               5 of 5                 1.4      race: x
pingpong  4 of 5  1.2      1.0               5 of 5                 5.1      

Not met:

- Switch/narrow: a step costs 5.5 hand-offs, want at most 5
- account, corrected: 15000 schedules per second at a hand-off of 200 ns, want 20000
- account, corrected, TestRing: two processors are 1.63 times as fast as one, want 1.7
- pingpong: rewriting and building takes 3.2 plain builds, want at most 3
- pingpong: found in 4 and by the command in 5 of 5 rounds: passed
- pingpong: 5.1 s to the bug, want less than 5
`

func TestSpeedReport(t *testing.T) {
	r := &report{
		Machine: tables.Machine{Go: "go1.26.8", System: "linux/amd64", CPUs: 2}, Rounds: 5, Search: "2s",
		Steps: []stepCost{{"HandOff", 200, 1}, {"Step", 100, 0.5}, {"Switch/narrow", 1100, 5.5}, {"Schedule", 9000, 45}},
		Rates: []searchRate{
			{"account", "random", 0.2, true, 100, 500, 250},
			{"account, corrected", "random", 2, false, 15000, 200, 15000},
			{"account, corrected", "dfs", 2, false, 100, 200, 100},
		},
		Halves: []halving{{"account, corrected", "TestRing", 1, 1234, 4.4, 2.7, 1.63}, {"tsp, corrected", "TestSolve", 2, 99, 4, 2, 2}},
		Builds: []buildCost{
			{Subject: "account", Plain: 0.4, Instrumented: 0.8, FromScratch: 1.6},
			{Subject: "pingpong", Plain: 0.4, Instrumented: 1.3, FromScratch: 1.6},
		},
		Bugs: []bugTime{
			{Subject: "account", Rounds: 5, Found: 5, Failure: "race: x", Seconds: 1.2, Build: 1, FoundByCommand: 5, Command: 1.4},
			{Subject: "pingpong", Rounds: 5, Found: 4, Problem: "passed", Seconds: 1.2, Build: 1, FoundByCommand: 5, Command: 5.1},
		},
	}
	var b bytes.Buffer
	if err := tables.Print(r, &b, false, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantSpeed, b.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

const wantSearches = `go1.26.8, linux/amd64, 2 CPUs; medians of 2 rounds.

Searches for fixes, repairs of 2m0s:

package of  lines  mutants before  a minute  mutants  a minute  ratio  of the search building  before  executables  programs  as variants  peak      before
a-1         3506   10              10.0      150      150.0     16.7   15 %                    80 %    15           100       95 %         2048 MiB  1024 MiB
b-2         501    0               0.0       6        12.0      12.0   30 %                    0 %     4            10        80 %         5000 MiB  1024 MiB
c-3         45     200             200.0     50       50.0      0.5    0 %                     0 %     0            0         0 %          100 MiB   1024 MiB

What is asked of the searches:

asked                                                                      figure              met
mutants scored per minute, in the median 10 times as many as before        12.0 times          yes
on no package fewer than before                                            0.5 times at least  no
building takes at most 20 % of the search on each package                  30 % at most        no
at least 90 % of the programs are variants of functions in one executable  94 %                yes
memory of Mendel and its children at most 4096 MiB                         5000 MiB            no

Not met:

- the search: on no package fewer than before: 0.5 times at least
- the search: building takes at most 20 % of the search on each package: 30 % at most
- the search: memory of Mendel and its children at most 4096 MiB: 5000 MiB
- c-3, seed 2: nothing was searched: not-reproduced: no failure was seen
`

// Ratios are those of rounds; a version that scores nothing has scored one; shares are of
// all rounds together.
func TestSearchReport(t *testing.T) {
	before := func(mutants int, building float64) searched {
		return searched{Mutants: mutants, Seconds: 60, Building: building, Peak: 1 << 30}
	}
	r := &report{
		Machine: tables.Machine{Go: "go1.26.8", System: "linux/amd64", CPUs: 2}, Rounds: 2, SearchBudget: "2m0s",
		Searches: []searchCost{
			{Bug: "a-1", Lines: 3506, Before: []searched{before(5, 60), before(15, 36)}, After: []searched{
				{Mutants: 100, Seconds: 60, Building: 12, Programs: 100, Executables: 10, Variants: 100, Peak: 2 << 30},
				{Mutants: 200, Seconds: 60, Building: 6, Programs: 100, Executables: 20, Variants: 90, Peak: 1 << 30},
			}},
			{Bug: "b-2", Lines: 501, Before: []searched{before(0, 0)}, After: []searched{
				{Mutants: 6, Seconds: 30, Building: 9, Programs: 10, Executables: 4, Variants: 8, Peak: 5000 << 20},
			}},
			{Bug: "c-3", Lines: 45, Before: []searched{before(100, 0), before(300, 0)}, After: []searched{
				{Mutants: 50, Seconds: 60, Peak: 100 << 20},
				{Seed: 2, Problem: "not-reproduced: no failure was seen"},
			}},
		},
	}
	var b bytes.Buffer
	if err := tables.Print(r, &b, false, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantSearches, b.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if got := searchCriteria([]searchCost{{Bug: "a-1", After: []searched{{Mutants: 1, Seconds: 1}}}}); len(got) != 3 {
		t.Errorf("without another version %d criteria, want the three that need none", len(got))
	}
}

// Each change is one that the build cache has not seen, and leaves the source as it was.
func TestChanged(t *testing.T) {
	b := &buildSeries{source: append(make([]byte, 0, 100), "package x\n"...)}
	first, second := string(b.changed()), string(b.changed())
	if first == second || !strings.HasPrefix(first, "package x\n") || !strings.HasPrefix(second, "package x\n") || string(b.source) != "package x\n" {
		t.Errorf("changed to %q and %q, source %q", first, second, b.source)
	}
}
