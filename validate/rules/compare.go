package rules

import (
	"cmp"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// A comparison of sources decides the static rules. It counts the effects of the
// original and of a mutant, so that it does not matter if one has moved.

// sources are an original and a mutant of it, as far as they differ.
type sources struct {
	original, mutated *token.FileSet
	rel               func(file string) string        // module-relative name
	lineOf            func(file string, line int) int // of the original
	before, after     *effects
	reads             *onlyReads         // nil: a call that is gone is work, whatever it does
	synchronising     *synchronising     // nil: nothing is known of what functions do
	links             map[[2]string]bool // pairs of functions of which one calls the other, in both orders
	waysBefore        *ways              // see otherwise; nil: not asked for yet
	waysAfter         *ways
}

func newSources(original, mutated *token.FileSet) *sources {
	s := &sources{
		original: original, mutated: mutated, before: newEffects(), after: newEffects(),
		links: map[[2]string]bool{},
	}
	s.after.origin = s.before.exits
	return s
}

// breach is where the mutant breaks the first rule that it breaks; nil: none.
func (s *sources) breach() *Breach {
	for _, rule := range Rules {
		if rule.check == nil {
			continue
		}
		if b := rule.check(s); b != nil {
			return b
		}
	}
	return nil
}

// declines reports whether the mutant has more selects with a default case.
func (s *sources) declines() bool { return s.after.defaults > s.before.defaults }

// breachBefore is a breach at a place of the original.
func (s *sources) breachBefore(rule Name, at token.Pos, what string) *Breach {
	l := s.lineBefore(at)
	return &Breach{rule, s.rel(l.file), l.number, what}
}

// breachAfter is a breach at a place of the mutant.
func (s *sources) breachAfter(rule Name, at token.Pos, what string) *Breach {
	l := s.lineAfter(at)
	return &Breach{rule, s.rel(l.file), l.number, what}
}

// A line is a line of the original.
type line struct {
	file   string
	number int
}

func (s *sources) lineBefore(at token.Pos) line {
	pos := s.original.PositionFor(at, false)
	return line{pos.Filename, pos.Line}
}

func (s *sources) lineAfter(at token.Pos) line {
	pos := s.mutated.PositionFor(at, false)
	return line{pos.Filename, s.lineOf(pos.Filename, pos.Line)}
}

// missing returns the first place of the original that has no counterpart on
// its line of the mutant, or else the first.
func (s *sources) missing(before, after []token.Pos) token.Pos {
	have := map[line]bool{}
	for _, at := range after {
		have[s.lineAfter(at)] = true
	}
	for _, at := range before {
		if !have[s.lineBefore(at)] {
			return at
		}
	}
	return before[0]
}

// added returns the first place of the mutant that has no counterpart on its
// line of the original, or else the last.
func (s *sources) added(before, after []token.Pos) token.Pos {
	had := map[line]bool{}
	for _, at := range before {
		had[s.lineBefore(at)] = true
	}
	for _, at := range after {
		if !had[s.lineAfter(at)] {
			return at
		}
	}
	return after[len(after)-1]
}

func (s *sources) goroutines() *Breach {
	effectsOf := func(starts []start) (list []effect) {
		for _, st := range starts {
			list = append(list, st.effect)
		}
		return list
	}
	needed := slices.DeleteFunc(slices.Clone(s.before.starts), s.unneeded)
	before := everywhere(effectsOf(needed), s.before, s.after)
	after := everywhere(effectsOf(s.after.starts), s.after, s.before)
	if len(after) >= len(before) {
		return nil
	}
	return s.breachBefore(DeletedGoroutine, s.missing(positions(before), positions(after)), "the goroutine is not started")
}

// unneeded reports whether a goroutine has no use any more: it has received from a channel that
// is gone, or done nothing but to tell what nobody hears, or to send what there is room for.
func (s *sources) unneeded(st start) bool {
	if st.function != "" {
		return s.gone(s.before.receives[st.function])
	}
	return s.gone(st.receives) || s.untold(st) || s.hasRoom(st)
}

// clocks are new waits for time to pass. A pause that can be given up now, a timer in the place of a sleep or
// of a goroutine that a timer starts, is none.
func (s *sources) clocks() *Breach {
	count := map[string]int{}
	for _, d := range s.before.clocks {
		count[d.what]++
	}
	paused := count["time.Sleep"] - len(named(s.after.clocks, "time.Sleep")) + max(0, s.before.timed()-s.after.timed())
	for _, d := range s.after.clocks {
		if count[d.what]--; count[d.what] < 0 {
			if paused > 0 && (d.what == "time.After" || d.what == "time.NewTimer") {
				paused--
				continue
			}
			before := named(s.before.clocks, d.what)
			return s.breachAfter(Sleep, s.added(positions(before), positions(named(s.after.clocks, d.what))), "it waits for time to pass by "+d.what)
		}
	}
	return nil
}

// timed counts the goroutines that a timer starts.
func (d *effects) timed() (n int) {
	for _, st := range d.starts {
		if st.what == "time.AfterFunc" {
			n++
		}
	}
	return n
}

// named are the effects with a name.
func named(list []effect, what string) []effect {
	return slices.DeleteFunc(slices.Clone(list), func(d effect) bool { return d.what != what })
}

func (s *sources) panics() *Breach {
	if len(s.after.recovers) <= len(s.before.recovers) {
		return nil
	}
	return s.breachAfter(SwallowedPanic, s.added(s.before.recovers, s.after.recovers), "it recovers from panics")
}

func (s *sources) spinning() *Breach {
	if len(s.after.busyWaits) <= len(s.before.busyWaits) {
		return nil
	}
	return s.breachAfter(Spin, s.added(s.before.busyWaits, s.after.busyWaits), "the loop turns without waiting for anything")
}

// work compares the effects.
func (s *sources) work() *Breach {
	s.link()
	var lost []*Breach
	for _, key := range slices.Sorted(maps.Keys(s.before.done)) {
		if b := s.lost(key); b != nil {
			lost = append(lost, b)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	return slices.MinFunc(lost, func(a, b *Breach) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

// link notes which functions call which.
func (s *sources) link() {
	for _, d := range []*effects{s.before, s.after} {
		for key, list := range d.done {
			for _, one := range list {
				if strings.HasPrefix(key, callKey) && one.in != "" {
					s.links[[2]string{one.in, key}], s.links[[2]string{key, one.in}] = true, true
				}
			}
		}
	}
}

// lost returns a breach if an effect is done less often than in the original, or
// only sometimes.
func (s *sources) lost(key string) *Breach {
	before := slices.DeleteFunc(slices.Clone(s.before.done[key]), func(d effect) bool { return d.internal || s.gone(d.names) })
	if strings.HasPrefix(key, closeKey) {
		before = slices.DeleteFunc(before, func(d effect) bool { return len(d.names) > 0 && s.unheard(d.names[0]) })
	}
	if len(before) == 0 || s.removed(key) || s.fresh(key) {
		return nil
	}
	before = everywhere(before, s.before, s.after)
	if s.reads.without(key, before) {
		return nil
	}
	after := everywhere(s.after.done[key], s.after, s.before)
	gone := len(before) - len(after)
	if gone > 0 && gone > s.replaced(key)+s.delegated(key)+s.unstarted(key)+s.givenAway(key)+repeated(before, after, s.links)+putOff(key, before, after) && !s.needless(key, gone) && !s.otherwise(key) {
		at := s.missing(positions(before), positions(after))
		return s.breachBefore(DeletedWork, at, whatAt(before, at)+" is gone")
	}
	// What only the first does in the original, or who finds room, a condition may decide.
	sure := slices.DeleteFunc(certain(before), func(d effect) bool { return d.once || d.polled })
	still := slices.DeleteFunc(slices.Clone(after), func(d effect) bool { return !d.certain && !d.missing })
	doubtful := len(sure) - len(still) - max(gone, 0) - s.asGuarded(sure, after)
	// An effect that is repeated on several paths is left out on none.
	if repeated := len(after) - len(still) - (len(before) - len(sure)); doubtful > 0 && repeated < 2*doubtful {
		at := s.missing(positions(sure), positions(still))
		return s.breachBefore(DeletedWork, at, whatAt(sure, at)+" is done only sometimes")
	}
	return nil
}

// needless reports whether calls that are gone are of a function that only synchronises.
// One that returns something has to be replaced by uses of what it has named.
func (s *sources) needless(key string, gone int) bool {
	if !s.synchronising.only(key) {
		return false
	}
	if !s.synchronising.results[key] {
		return true
	}
	named := s.synchronising.effects.fields[key]
	for field := range named {
		if s.after.namings(field)-s.before.namings(field) < gone {
			return false
		}
	}
	return len(named) > 0
}

// everywhere repeats the effects of a function that only one of two programs has, once for
// each place there that names it: the function replaces what is done there in the other.
func everywhere(list []effect, in, other *effects) (all []effect) {
	for _, d := range list {
		all = append(all, d)
		if d.in == "" || other.has(d.in) {
			continue
		}
		for range in.named[d.in] - 1 {
			all = append(all, d)
		}
	}
	return all
}

// removed reports whether an effect is the call of a function that the mutant has no more: what it
// did is compared by itself.
func (s *sources) removed(key string) bool {
	return s.before.has(key) && !s.after.has(key)
}

// fresh reports whether an effect is a Reset that what is new does not need: the mutant takes
// nothing from a pool any more.
func (s *sources) fresh(key string) bool {
	return s.before.pools > 0 && s.after.pools == 0 && strings.HasPrefix(key, callKey) && strings.HasSuffix(key, ").Reset")
}

// delegated counts the functions that do no longer themselves what a function does
// for certain that they call now, and did not: one that both programs have.
func (s *sources) delegated(key string) (n int) {
	by := func(list []effect) map[string]int {
		count := map[string]int{}
		for _, d := range list {
			count[d.in]++
		}
		return count
	}
	was, is := by(s.before.done[key]), by(s.after.done[key])
	does := map[string]bool{}
	for _, d := range s.after.done[key] {
		if s.before.has(d.in) && d.certain {
			does[d.in] = true
		}
	}
	for in, count := range was {
		calls := 0
		for other := range does {
			if other != in {
				calls += max(0, by(s.after.done[other])[in]-by(s.before.done[other])[in])
			}
		}
		n += min(max(0, count-is[in]), calls)
	}
	return n
}

// givenAway counts how often more a function is given away as a value by a patch that somebody has made:
// whoever gets it, as a sync.Once does, calls it.
func (s *sources) givenAway(key string) int {
	if s.reads == nil {
		return 0
	}
	return max(0, len(s.after.values[key])-len(s.before.values[key]))
}

func positions(list []effect) (at []token.Pos) {
	for _, d := range list {
		at = append(at, d.at)
	}
	return at
}

func certain(list []effect) []effect {
	return slices.DeleteFunc(slices.Clone(list), func(d effect) bool { return !d.certain })
}

func whatAt(list []effect, at token.Pos) string {
	i := slices.IndexFunc(list, func(d effect) bool { return d.at == at })
	return list[i].what
}

// replaced counts what replaces an effect that is gone. A close of the same kind
// of channel replaces a send, because it tells the receiver too, and so does a call of a
// function that sends and is given the channel. A call of a
// function that does the same apart from locks replaces a call.
func (s *sources) replaced(key string) int {
	if element, ok := strings.CutPrefix(key, sendKey); ok {
		n := max(0, len(s.after.done[closeKey+element])-len(s.before.done[closeKey+element]))
		for l, calls := range s.after.lent {
			if l.element == element && (l.sends || s.after.sends(l.to)) {
				n += max(0, calls-s.before.lent[l])
			}
		}
		return n
	}
	if !strings.HasPrefix(key, callKey) {
		return 0
	}
	n := 0
	for other, list := range s.after.done {
		if other == key || !isVariant(key, other, s.links[[2]string{key, other}]) {
			continue
		}
		// A call inside the other function replaces none.
		outside := func(list []effect) int {
			return len(slices.DeleteFunc(slices.Clone(list), func(d effect) bool { return d.in == key }))
		}
		n += max(0, outside(list)-outside(s.before.done[other]))
	}
	return n
}

// sends reports whether a function of the sources sends, by its key.
func (e *effects) sends(fn string) bool {
	for key, list := range e.done {
		if strings.HasPrefix(key, sendKey) && slices.ContainsFunc(list, func(d effect) bool { return d.in == fn }) {
			return true
		}
	}
	return false
}

// variants are endings of names of functions for callers that hold a lock.
var variants = []string{"locked", "unlocked", "nolock"}

// isVariant reports whether two functions of one package and receiver do the same
// apart from locks: the name of one is that of the other with such an ending, or
// with any ending if one calls the other.
func isVariant(a, b string, linked bool) bool {
	i, j := strings.LastIndex(a, ".")+1, strings.LastIndex(b, ".")+1
	if a[:i] != b[:j] {
		return false
	}
	short, long := strings.ToLower(a[i:]), strings.ToLower(b[j:])
	if len(short) > len(long) {
		short, long = long, short
	}
	ending, ok := strings.CutPrefix(long, short)
	return ok && (linked || slices.Contains(variants, ending))
}
