package order

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a -> b", "b: a"},
		{"a->b->c", "b: a; c: b"},
		{"a -> b, c -> d,", "b: a; d: c"},
		{"a -> b,\n\tc -> b\n", "b: a, c"},
		{"a || b && c -> d", "d: (a || (b && c))"},
		{"(a || b) && c -> d", "d: ((a || b) && c)"},
		{"a -> b && (c && d) -> e", "b: a; c: a; d: a; e: (b && (c && d))"},
		{"a#1 -> a#2", "a#2: a"},
		{"[a] -> b", "b: [a]"},
		{"[ a#3 in (*Pool).Get ] && c -> b", "b: ([a#3 in Pool.Get] && c)"},
		{"[inner]->in, [in in in.in]->b", "in: [inner]; b: [in in in.in]"},
		{"start@w1 -> end@w2", "end@w2: start@w1"},
		{"pkg.get -> größe", "größe: pkg.get"},
	} {
		o, err := parse(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := o.show(); got != c.want {
			t.Errorf("%q is read as %q, want %q", c.text, got, c.want)
		}
	}
}

// show writes what events wait for.
func (o *order) show() string {
	var keys []string
	for i := range o.keys {
		var after []string
		for _, a := range o.keys[i].after {
			after = append(after, o.showAfter(a))
		}
		if after != nil {
			keys = append(keys, o.keys[i].String()+": "+strings.Join(after, ", "))
		}
	}
	return strings.Join(keys, "; ")
}

func (o *order) showAfter(a *after) string {
	var kids []string
	for _, kid := range a.kids {
		kids = append(kids, o.showAfter(kid))
	}
	switch a.op {
	case all:
		return "(" + strings.Join(kids, " && ") + ")"
	case some:
		return "(" + strings.Join(kids, " || ") + ")"
	case blocked:
		if a.in != "" {
			return "[" + o.keys[a.key].String() + " in " + a.in + "]"
		}
		return "[" + o.keys[a.key].String() + "]"
	}
	return o.keys[a.key].String()
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "column 1: want the name of an event, found the end"},
		{"  ", "column 3: want the name of an event, found the end"},
		{"a", "column 2: want ->, found the end"},
		{"a b", "column 3: want ->, found 'b'"},
		{"a -> ", "column 6: want the name of an event, found the end"},
		{"a -> b c", "column 8: want -> or a comma, found 'c'"},
		{"a -> b,, c -> d", "column 8: want the name of an event, found ','"},
		{"ä => b", "column 3: want ->, found '='"},
		{"a ->\n\tb &", "line 2, column 4: want -> or a comma, found '&'"},
		{"a -> [b]", "column 6: a block can stand only before the first arrow"},
		{"a -> b || c", "column 6: || can stand only before the first arrow"},
		{"(a && b -> c", "column 9: want ) for the ( in column 1, found '-'"},
		{"[a -> b", "column 4: want ], found '-'"},
		{"[a in] -> b", `column 6: want the name of a function, such as Pool.Get, found ""`},
		{"[a in f g] -> b", `column 7: want the name of a function, such as Pool.Get, found "f g"`},
		{"[(a)] -> b", "column 2: want the name of an event, found '('"},
		{"a#0 -> b", "column 3: want a number from 1 to 1000000 after #"},
		{"a#10000000000000000000000 -> b", "column 3: want a number from 1 to 1000000 after #"},
		{"a. -> b", "column 3: want the name of an event, found ' '"},
		{"1 -> b", "column 1: want the name of an event, found '1'"},
		{strings.Repeat("(", 101) + "a", "column 101: more than 100 parentheses are open"},
		{"a -> a", "column 1: a circle: a waits for a"},
		{"x -> b, a -> b, b -> c, c -> a", "column 6: a circle: b waits for a, a waits for c, c waits for b"},
		{"a#2 -> a", "column 1: a circle: a#2 waits for a, a waits for a#2"},
		{"[a] -> b -> a", "column 2: a circle: a waits for b, b waits for a"},
		{"a || b -> c, c -> a, c -> b", "column 1: a circle: a waits for c, c waits for a"},
	} {
		_, err := parse(c.text)
		if err == nil {
			t.Errorf("%q is read", c.text)
			continue
		}
		if got, _, _ := strings.Cut(err.Error(), "\n"); got != c.want {
			t.Errorf("%q: %s\nwant %s", c.text, got, c.want)
		}
	}
	// One of several is enough.
	if _, err := parse("a || b -> c, c -> a"); err != nil {
		t.Error(err)
	}
	_, err := parse("ä ->\n\tb && &")
	if want := "line 2, column 7: want the name of an event, found '&'\n\t\tb && &\n\t\t     ^"; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// Whatever is read can be written, and is read as the same again.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"a -> b, [c#2 in (*P).Get] && (d || e) -> f", "x.y@z -> b || c", "[a", "a#", "\xff -> b", "a -> b && a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := parse(text)
		if err != nil {
			if e := err.(*syntaxError); e.offset < 0 || e.offset > len(text) {
				t.Fatalf("place %d of %d", e.offset, len(text))
			}
			_ = err.Error()
			return
		}
		var again []string
		for i := range o.keys {
			for _, a := range o.keys[i].after {
				again = append(again, o.showAfter(a)+" -> "+o.keys[i].String())
			}
		}
		second, err := parse(strings.Join(again, ", "))
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, again, err)
		}
		// The names may come in another order.
		sorted := func(o *order) string {
			parts := strings.Split(o.show(), "; ")
			slices.Sort(parts)
			return strings.Join(parts, "; ")
		}
		if sorted(o) != sorted(second) {
			t.Fatalf("%q is %q, and then %q", text, o.show(), second.show())
		}
	})
}
