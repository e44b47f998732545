package interleave

import (
	"fmt"
	"strings"

	"mendel/interleave/hook"
)

// Idioms is how many there are: 1 to 6.
const Idioms = 6

// An End is a static access: a place in the source and what it does there.
type End struct {
	Site uint32
	Kind hook.Kind
}

// An IRoot is an instance of an idiom, named by places in the source alone. It is
// comparable: two iRoots are the same when they are equal.
type IRoot struct {
	Idiom int
	Ends  [4]End // A, B, C, D, as far as the idiom has them
}

// rootOf names an iRoot. Idiom 5 looks the same from both goroutines: one of its two
// names is taken.
func rootOf(idiom int, ends ...*access) IRoot {
	r := IRoot{Idiom: idiom}
	for i, e := range ends {
		r.Ends[i] = e.end
	}
	if idiom == 5 {
		if o := (IRoot{idiom, [4]End{r.Ends[2], r.Ends[3], r.Ends[0], r.Ends[1]}}); o.Compare(r) < 0 {
			return o
		}
	}
	return r
}

// Len is how many ends the idiom has: 2, 3 or 4.
func (r IRoot) Len() int { return min(r.Idiom+1, 4) }

// Script is what forces the iRoot, but for its patience.
func (r IRoot) Script(seed uint64, late bool) hook.Script {
	s := hook.Script{Idiom: r.Idiom, Seed: seed, Late: late}
	for i, e := range r.Ends {
		s.Sites[i] = e.Site
	}
	return s
}

// Compare orders iRoots: by idiom, then by the sites of their ends.
func (r IRoot) Compare(o IRoot) int {
	if r.Idiom != o.Idiom {
		return r.Idiom - o.Idiom
	}
	for i := range r.Ends {
		if a, b := r.Ends[i], o.Ends[i]; a.Site != b.Site {
			return int(int64(a.Site) - int64(b.Site))
		} else if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
	}
	return 0
}

// shapes are how the idioms are written: with the goroutine of each end.
var shapes = [Idioms + 1]string{
	1: "1:%s => 2:%s",
	2: "1:%s => 2:%s => 1:%s",
	3: "1:%s => 2:%s ... 2:%s => 1:%s",
	4: "1:%s => 2:%s ... 2:%s => 1:%s",
	5: "1:%s => 2:%s, 2:%s => 1:%s, crossing",
	6: "1:%s => 2:%s, 1:%s => 2:%s",
}

// Text writes the iRoot; place names an end.
func (r IRoot) Text(place func(End) string) string {
	var parts []any
	for _, e := range r.Ends[:r.Len()] {
		parts = append(parts, place(e))
	}
	return fmt.Sprintf(shapes[r.Idiom], parts...)
}

// A Set is a set of iRoots.
type Set map[IRoot]bool

// Add adds all of another set and returns how many are new.
func (s Set) Add(o Set) int {
	before := len(s)
	for r := range o {
		s[r] = true
	}
	return len(s) - before
}

// Tuple counts the iRoots of each idiom, 1 to 6: the paper's measure of coverage
// with one number more.
func (s Set) Tuple() (t [Idioms]int) {
	for r := range s {
		t[r.Idiom-1]++
	}
	return t
}

// TupleText writes a tuple as the paper does.
func TupleText(t [Idioms]int) string {
	return "(" + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(t)), ", "), "[]") + ")"
}

// normal is the kind that an access has as an end: whether a receive finds a channel
// closed is no property of its place.
func normal(k hook.Kind) hook.Kind {
	if k == hook.ReceiveClosed {
		return hook.Receive
	}
	return k
}

// isMemory reports whether accesses of a kind are to memory.
func isMemory(k hook.Kind) bool { return hook.Read <= k && k <= hook.AtomicWrite }

// depends reports whether an access of kind q can depend on one of kind p at the
// same location: whether p => q is a dependency at all.
func depends(p, q hook.Kind) bool {
	if isMemory(p) && isMemory(q) {
		return p == hook.Write || q == hook.Write || p == hook.AtomicWrite || q == hook.AtomicWrite
	}
	switch q {
	case hook.Lock:
		return p == hook.Unlock || p == hook.RUnlock
	case hook.RLock:
		return p == hook.Unlock
	case hook.Wait:
		return p == hook.Done
	case hook.Add:
		return p == hook.Wait
	case hook.Sleep:
		return p == hook.Signal
	case hook.Receive:
		return p == hook.Send || p == hook.Close
	case hook.Send, hook.Close:
		return p == hook.Close
	}
	return false
}

// isStrict reports whether a dependency of an access of a kind is on the access
// directly before it. What depends on a channel does not: other values may be between.
func isStrict(k hook.Kind) bool { return k != hook.Send && k != hook.Receive && k != hook.Close }

// isAccess reports whether events of a kind can be ends of iRoots.
func isAccess(k hook.Kind) bool {
	switch k {
	case hook.Lock, hook.RLock, hook.Unlock, hook.RUnlock, hook.Add, hook.Done, hook.Wait, hook.Signal, hook.Sleep,
		hook.Send, hook.Receive, hook.ReceiveClosed, hook.Close:
		return true
	}
	return isMemory(k)
}
