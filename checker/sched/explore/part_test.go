package explore

import (
	"maps"
	"testing"

	"mendel/checker/sched"
	"mendel/internal/sample"
)

// exploreParts makes what the parts of a bounded search make, one part after the other. claim
// gives part i what it claims; nil: units are divided by their numbers.
func exploreParts(t *testing.T, p *litmus, bound, of int, claim func(i, bound int) int) (outcomes map[string]int, reports []*Report) {
	t.Helper()
	outcomes = map[string]int{}
	for i := range of {
		s := Search{Strategy: "dfs", Preemptions: bound, Executions: 1 << 30, Part: Part{Index: i, Of: of}, All: true}
		if claim != nil {
			s.Part.Claim = func(bound int) int { return claim(i, bound) }
		}
		s.Execute = func(st sched.Strategy, o sched.Options) *sched.Execution {
			in := &interpreter{p: p, pc: make([]int, len(p.threads)), regs: make([][]int, len(p.threads)), woken: make([]bool, len(p.threads))}
			x := sched.Run(st, o, in.body)
			if _, again := st.(*Replay); !again && !x.Abandoned {
				outcomes[sched.FormatChoices(x.Choices)]++
			}
			return x
		}
		r, err := Explore(nil, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	return outcomes, reports
}

// TestParts divides searches: the parts together make the executions of the whole, each
// once, but for the first one.
func TestParts(t *testing.T) {
	draw := randomProgram(otherOps)
	channels := randomProgram(channelOps)
	programs := []*litmus{par("seen", nil, repeat(3, ops(store(0, 1), load(0))), repeat(3, ops(store(0, 2), load(0))))}
	for seed := range sample.Count(6, 15) {
		for _, p := range []*litmus{draw.Example(seed), channels.Example(seed)} {
			if !wellFormed(p) {
				continue
			}
			programs = append(programs, p)
		}
	}
	for _, p := range programs {
		const bound = 1
		whole, _ := exploreParts(t, p, bound, 1, nil)
		for _, of := range []int{2, 3} {
			parts, reports := exploreParts(t, p, bound, of, nil)
			if !maps.EqualFunc(whole, parts, func(_, _ int) bool { return true }) {
				t.Fatalf("%+v: %d schedules in %d parts, %d in one", p, len(parts), of, len(whole))
			}
			for k := range reports[0].Parts {
				units := reports[0].Parts[k]
				for i, r := range reports {
					at := r.Parts[k]
					if at.Spine != units.Spine || len(at.Made) != len(units.Made) || !at.Done || at.Made[0] != 1 {
						t.Fatalf("%+v: part %d of %d has %+v, the first one %+v", p, i, of, at, units)
					}
					for u, n := range at.Made {
						if u > 0 && (n > 0) != (u%of == i) {
							t.Fatalf("%+v: part %d of %d made %d executions of unit %d", p, i, of, n, u)
						}
					}
				}
			}
			if !reports[0].Parts[0].Limited {
				continue // the whole needs no more preemptions; the parts do not know it
			}
			sum := 0
			for _, n := range parts {
				sum += n
			}
			for _, n := range whole {
				sum -= n
			}
			if first := (of - 1) * len(reports[0].Parts); sum != first {
				t.Errorf("%+v: %d parts make %d executions more, want %d", p, of, sum, first)
			}
		}
	}
}

// TestPartEnds does not explore what comes after a failure that another part has found, and
// claims nothing.
func TestPartEnds(t *testing.T) {
	p := par("seen", nil, repeat(3, ops(store(0, 1), load(0))), repeat(3, ops(store(0, 2), load(0))))
	s := Search{Strategy: "dfs", Preemptions: 2, Executions: 1000}
	s.Part = Part{Index: 1, Of: 2, Enough: func(bound, unit int) bool { return bound == 1 && unit > 3 }}
	r := search(t, p, s)
	last := r.Parts[len(r.Parts)-1]
	if last.Bound != 1 || last.Done || last.Made[3] == 0 || last.Made[5] > 0 || r.Bound != 0 {
		t.Errorf("%v: %+v", r, last)
	}
}

// TestPartsClaim divides searches by claims: of three parts the second one takes the first
// unit, the first one the next three, and the third one what is left.
func TestPartsClaim(t *testing.T) {
	p := par("seen", nil, repeat(3, ops(store(0, 1), load(0))), repeat(3, ops(store(0, 2), load(0))))
	const bound = 2
	whole, _ := exploreParts(t, p, bound, 1, nil)
	const none = 1 << 30
	claimed := map[[2]int]int{}
	parts, reports := exploreParts(t, p, bound, 3, func(i, bound int) int {
		key := [2]int{i, bound}
		claimed[key]++
		n := claimed[key]
		switch {
		case i == 0 && n <= 3:
			return n + 1
		case i == 1 && n == 1:
			return 1
		case i == 2:
			return n + 4
		}
		return none
	})
	if !maps.EqualFunc(whole, parts, func(_, _ int) bool { return true }) {
		t.Errorf("%d schedules in parts, %d in one", len(parts), len(whole))
	}
	for i, r := range reports {
		for k, at := range r.Parts {
			for u, n := range at.Made {
				want := 2
				switch {
				case u == 0:
					continue
				case u == 1:
					want = 1
				case u <= 4:
					want = 0
				}
				if (n > 0) != (want == i) || !at.Done || at.Undivided {
					t.Errorf("bound %d, part %d made %d executions of unit %d: %+v", k, i, n, u, at)
				}
			}
		}
	}
	_, reports = exploreParts(t, p, bound, 1, nil)
	if len(reports[0].Parts) > 0 {
		t.Error("a whole has parts")
	}
	_, reports = exploreParts(t, p, bound, 2, func(int, int) int { return 0 })
	if !reports[0].Parts[0].Undivided {
		t.Error("parts that cannot claim make a whole")
	}
}
