package sched

import (
	"maps"
	"testing"
)

// exploreParts makes what the parts of a bounded search make, one part after the other.
func exploreParts(t *testing.T, p *litmus, bound, of int) (outcomes map[string]int, reports []*Report) {
	t.Helper()
	outcomes = map[string]int{}
	for i := range of {
		s := Search{Strategy: "dfs", Preemptions: bound, Executions: 1 << 30, Part: Part{Index: i, Of: of}, All: true}
		s.Execute = func(st Strategy, o Options) *Execution {
			in := &interpreter{p: p, pc: make([]int, len(p.threads)), regs: make([][]int, len(p.threads)), woken: make([]bool, len(p.threads))}
			x := Run(st, o, in.body)
			if _, again := st.(*Replay); !again && !x.Abandoned {
				outcomes[FormatChoices(x.Choices)]++
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
	for seed := range 15 {
		for _, p := range []*litmus{draw.Example(seed), channels.Example(seed)} {
			if !wellFormed(p) {
				continue
			}
			programs = append(programs, p)
		}
	}
	for _, p := range programs {
		const bound = 1
		whole, _ := exploreParts(t, p, bound, 1)
		for _, of := range []int{2, 3} {
			parts, reports := exploreParts(t, p, bound, of)
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
