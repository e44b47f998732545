package rewrite_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"mendel/internal/rewrite"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		name, want string
		edit       func(e *rewrite.Edits)
	}{
		{"nothing", "a.b(c)", func(*rewrite.Edits) {}},
		{"insertions stay in their order", "1;2;a.b(c)", func(e *rewrite.Edits) { e.Replace(0, 0, "1;"); e.Replace(0, 0, "2;") }},
		{"before what is replaced", "1;x.b(c)", func(e *rewrite.Edits) { e.Replace(0, 1, "x"); e.Replace(0, 0, "1;") }},
		{"inner first", "[(a).b(c)]", func(e *rewrite.Edits) { around(e, 0, 1, "(", ")"); around(e, 0, 6, "[", "]") }},
		{"outer first", "[(a).b(c)]", func(e *rewrite.Edits) { around(e, 0, 6, "[", "]"); around(e, 0, 1, "(", ")") }},
		{"equal", "[(a)].b(c)", func(e *rewrite.Edits) { around(e, 0, 1, "[", "]"); around(e, 0, 1, "(", ")") }},
		{"side by side", "(a)<.>[b](c)", func(e *rewrite.Edits) {
			around(e, 2, 3, "[", "]")
			around(e, 1, 2, "<", ">")
			around(e, 0, 1, "(", ")")
		}},
		{"between them", "(a);[.]b(c)", func(e *rewrite.Edits) {
			e.Replace(1, 1, ";")
			around(e, 1, 2, "[", "]")
			around(e, 0, 1, "(", ")")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := rewrite.Edits{Text: []byte("a.b(c)")}
			c.edit(&e)
			if got := string(e.Apply()); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func around(e *rewrite.Edits, from, to int, before, after string) {
	e.Begin(from, to, before)
	e.End(to, from, after)
}

// Brackets around the parts of an expression are balanced, in whatever order they are put.
func FuzzNesting(f *testing.F) {
	f.Add(uint64(1), 9)
	f.Add(uint64(7), 30)
	f.Fuzz(func(t *testing.T, seed uint64, n int) {
		r := rand.New(rand.NewPCG(seed, 0))
		var stretches [][2]int
		var divide func(from, to int)
		divide = func(from, to int) {
			stretches = append(stretches, [2]int{from, to})
			if mid := from + (to-from)/2; mid > from && mid < to && len(stretches) < n%64 {
				divide(from, mid)
				divide(mid, to)
			}
		}
		divide(0, 16)
		r.Shuffle(len(stretches), func(i, j int) { stretches[i], stretches[j] = stretches[j], stretches[i] })
		e := rewrite.Edits{Text: []byte(strings.Repeat(".", 16))}
		for i, s := range stretches {
			around(&e, s[0], s[1], string(rune('A'+i)), string(rune('A'+i)))
		}
		var open []rune
		for _, c := range string(e.Apply()) {
			switch {
			case c == '.':
			case len(open) > 0 && open[len(open)-1] == c:
				open = open[:len(open)-1]
			default:
				open = append(open, c)
			}
		}
		if len(open) > 0 {
			t.Errorf("%s is not balanced", e.Apply())
		}
	})
}
