package verdicts

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// A program is a test that starts goroutines. Thread 0 is the test itself. With
// join it waits for the others, and refuses one outcome.
type program struct {
	threads [][]stmt
	caps    []int // of the channels
	forms   []int // how each plain variable is stored, see source.go
	join    bool
	done    int   // counter of the program's own WaitGroup at first
	refused []int // with join: the outcome that fails the test; nil: none
}

// A stmt is a statement. What it observes is appended to the registers of its
// thread.
type stmt struct {
	do    string // see model.go
	obj   int    // of the kind that do is about
	v, w  int
	body  []stmt
	cases []stmt // of a select: sends and receives
}

const objects = 2 // of each kind

// A theme is a set of statements that programs are drawn from: few kinds meet
// each other more often than many.
type theme []func(*drawing) stmt

// A drawing is the making of one program.
type drawing struct {
	*rand.Rand
	theme theme
	depth int
}

func (d *drawing) obj() int   { return d.IntN(objects) }
func (d *drawing) value() int { return 1 + d.IntN(3) }

func simple(do string) func(*drawing) stmt {
	return func(d *drawing) stmt { return stmt{do: do, obj: d.obj(), v: d.value(), w: d.value()} }
}

// around is a statement with a body.
func around(do string) func(*drawing) stmt {
	return func(d *drawing) stmt { return stmt{do: do, obj: d.obj(), v: d.IntN(3), body: d.body(2)} }
}

func selects(do string) func(*drawing) stmt {
	return func(d *drawing) stmt {
		s := stmt{do: do, v: d.value()}
		for range 1 + d.IntN(2) {
			s.cases = append(s.cases, stmt{do: []string{"send", "recv"}[d.IntN(2)], obj: d.obj(), v: d.value()})
		}
		return s
	}
}

// waits is a wait for a condition under its lock.
func waits(d *drawing) stmt {
	o := d.obj()
	return stmt{do: "lock", obj: o, body: []stmt{{do: "wait", obj: o}}}
}

func signals(d *drawing) stmt {
	o := d.obj()
	s := stmt{do: []string{"signal", "broadcast"}[d.IntN(2)], obj: o}
	if d.IntN(2) == 0 {
		return s
	}
	return stmt{do: "lock", obj: o, body: []stmt{s}}
}

var (
	plainTheme   = theme{simple("read"), simple("write")}
	atomicTheme  = theme{simple("load"), simple("store"), simple("add"), simple("cas"), around("if")}
	lockTheme    = theme{around("lock"), around("lock"), around("lock"), around("trylock"), simple("mlock"), simple("munlock")}
	rwTheme      = theme{around("rlock"), around("rlock"), around("wlock")}
	channelTheme = theme{simple("send"), simple("send"), simple("recv"), simple("recv"), simple("close"), simple("len"), selects("select"), selects("default"), around("if")}
	condTheme    = theme{waits, signals, signals, around("lock")}
	groupTheme   = theme{simple("done"), simple("done"), simple("wgwait")}
	onceTheme    = theme{around("once"), around("once")}
	yieldTheme   = theme{simple("yield")}
	timeTheme    = theme{simple("sleep"), selects("timed"), selects("timed"), simple("send"), simple("recv"), simple("store"), simple("load")}
	themes       = []theme{timeTheme, timeTheme, atomicTheme, lockTheme, rwTheme, channelTheme, channelTheme, condTheme, groupTheme, onceTheme, yieldTheme}
)

// body draws some statements of the theme.
func (d *drawing) body(most int) (body []stmt) {
	if d.depth == 2 {
		return []stmt{d.draw(plainTheme)}
	}
	d.depth++
	for range 1 + d.IntN(most) {
		body = append(body, d.draw(d.theme))
	}
	d.depth--
	return body
}

func (d *drawing) draw(t theme) stmt { return t[d.IntN(len(t))](d) }

// generate draws a program. The seed decides everything.
func generate(seed uint64) *program {
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, 14))}
	for range 1 + d.IntN(2) {
		d.theme = append(d.theme, themes[d.IntN(len(themes))]...)
	}
	for range d.IntN(3) {
		d.theme = append(d.theme, plainTheme...)
	}
	p := &program{join: d.IntN(3) > 0, done: 1 + d.IntN(2)}
	for range objects {
		p.caps = append(p.caps, d.IntN(3))
		p.forms = append(p.forms, d.IntN(len(forms)))
	}
	p.threads = append(p.threads, nil)
	if d.IntN(2) == 0 {
		p.threads[0] = d.body(4)
	}
	for range 2 + d.IntN(2)*(1-min(1, len(p.threads[0]))) {
		p.threads = append(p.threads, d.body(4))
	}
	return p
}

// refuse chooses an outcome that fails the test: one that may be, or one like it.
func (p *program) refuse(seed uint64, outcomes map[string][]int) {
	if len(outcomes) == 0 {
		return
	}
	d := rand.New(rand.NewPCG(seed, 15))
	names := slices.Sorted(maps.Keys(outcomes))
	p.refused = slices.Clone(outcomes[names[d.IntN(len(names))]])
	if i := d.IntN(len(p.refused)); p.refused[i] != separator && (len(names) == 1 || d.IntN(2) == 0) {
		p.refused[i]++
	}
}

// kinds are the kinds of statements of a program.
func (p *program) kinds() []string {
	var all []string
	var walk func([]stmt)
	walk = func(body []stmt) {
		for _, s := range body {
			all = append(all, s.do)
			walk(s.body)
			walk(s.cases)
		}
	}
	for _, t := range p.threads {
		walk(t)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
