package mutate

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"mendel/analysis"
)

// An Edit is one operator applied at one place of the original source.
type Edit struct {
	Operator string         `json:"operator"`
	File     string         `json:"file"`            // module-relative, slash-separated
	Line     int            `json:"line"`            // of the original, for people
	Func     string         `json:"func"`            // "(*Account).Transfer"
	Node     int            `json:"node"`            // NodeID of the statement (or function) edited
	Other    int            `json:"other,omitempty"` // NodeID of a second place, e.g. the inner section
	Count    int            `json:"count,omitempty"` // statements covered or moved over
	Lock     *analysis.Lock `json:"lock,omitempty"`
	Read     bool           `json:"read,omitempty"` // RLock instead of Lock
	Expr     string         `json:"expr,omitempty"` // what the edit puts in, as Go writes it: "ctx.Done()"
	Form     string         `json:"form,omitempty"` // which of the operator's ways, where it has several: "defer"
	Vars     []string       `json:"vars,omitempty"` // names of the shared variables concerned
	Note     string         `json:"note,omitempty"` // what the edit guards against; becomes the comment in the source
	Heat     float64        `json:"heat"`           // nearness to the evidence when enumerated, 0 to 1
	// Belief is how likely the edit is to be what is missing, beside others as near to
	// the evidence; 0 stands for 1, as likely as can be. See Doubt.
	Belief float64 `json:"belief,omitempty"`
	// Sure says that the source shows what the edit mends to be wrong, whatever the tests
	// run: a lock that stays taken at an exit. It stays in a fix that mends the like of it.
	Sure bool `json:"sure,omitempty"`
	// Reach is the share of the original's races that the statements covered take part
	// in, as [analysis.Reach.Share] has it; 0 stands for 1: the edit covers none.
	Reach float64 `json:"reach,omitempty"`
	Flags []Flag  `json:"flags,omitempty"`
	// Group is equal for edits of the operator that belong together, wherever they
	// are: Space lists a composite edit of all of them, if they go together. "": none.
	Group string `json:"-"`
	// Parts, of a composite edit, are the edits of other operators that it
	// stands for; it does nothing else. Space.Mutant puts them in its place, so
	// that no Mutant has a composite edit.
	Parts []Edit `json:"parts,omitempty"`

	races analysis.Reach // that Reach is the share of
}

// A Flag is a reason to prefer other fixes.
type Flag string

// Flags of edits and fixes.
const (
	Serialises Flag = "serialises"        // a lock around a whole goroutine body
	DropsGuard Flag = "drops-guard"       // removes a lock around an access to data that it guards
	DropsLock  Flag = "drops-lock"        // removes a whole section in which nothing is known to be shared; what its lock put in order is not any more
	Nested     Flag = "nested-lock"       // acquires a lock while another is held, and nothing rules out the opposite order
	Blocks     Flag = "blocks-in-section" // channel operation, wait or sleep inside a critical section

	Discards  Flag = "discards"        // throws away what is handed over, without an end
	Postpones Flag = "postpones-block" // makes room in a channel that one value sends to any number of times
	Detached  Flag = "detached"        // starts a goroutine for what was called: nobody waits for it any more

	SharedLock Flag = "shared-lock" // one lock of the package for the fields of all values of a type

	// Flags of whole fixes, which validation finds.
	IncompleteGuard Flag = "incomplete-guard" // a variable that the fix guards with a lock is used without it elsewhere
	WrongLock       Flag = "wrong-lock"       // uses of a variable are under locks that do not exclude each other
	LostWakeup      Flag = "lost-wakeup"      // a waiter of a condition variable may be woken in vain, or not at all
	Relocks         Flag = "relocks"          // a lock may be taken where the goroutine holds it
	Remakes         Flag = "remakes"          // a mutex, wait group or the like is replaced while others may use it
	HeldThrough     Flag = "held-through"     // a lock is held now while what may need it is waited for or called, or for what it was let go for
	OutOfOrder      Flag = "out-of-order"     // others are told of a change without the lock under which it is made: perhaps of an older one later
	LockCircle      Flag = "lock-circle"      // locks are taken in a circle, which the fix makes or mends at some places only
	LeftElsewhere   Flag = "left-elsewhere"   // what the fix mends at one place is left at another one like it
	ScenarioFails   Flag = "scenario-fails"   // two calls side by side, made by machine from the program's tests, fail
	ReadsEarly      Flag = "reads-early"      // a function that is returned no longer reads a variable when it runs, but when it is made
	CutShort        Flag = "cut-short"        // what has come by the end of a context is taken for all, without an error
	Unawaited       Flag = "unawaited"        // what is promised to be waited for, or is needed, is not waited for
	GoesOn          Flag = "goes-on"          // what nobody wants any more goes on
	StillFails      Flag = "still-fails"      // a test that fails for another reason, as far as is known, does so with the fix, too
	SplitSection    Flag = "split-section"    // a value read under a lock is written back, changed or checked, under a later acquisition of it
)

// An EditKey identifies an edit: keys are equal when the edits do the same. It
// is the only thing that decides that two edits are equal; comparing edits
// field by field would tell one that was enumerated again, with more heat, from
// itself.
type EditKey struct {
	operator, file     string
	node, other, count int
	lock, lockKey      string
	newLock            analysis.NewLock
	read               bool
	expr, form         string
	parts              string // those of the parts
}

// Compare orders keys by place and operator; it is 0 for equal keys only.
func (k EditKey) Compare(o EditKey) int {
	return cmp.Or(
		cmp.Compare(k.file, o.file),
		cmp.Compare(k.node, o.node),
		cmp.Compare(k.operator, o.operator),
		cmp.Compare(k.other, o.other),
		cmp.Compare(k.count, o.count),
		cmp.Compare(k.lock, o.lock),
		cmp.Compare(k.lockKey, o.lockKey),
		cmp.Compare(k.newLock.Kind, o.newLock.Kind),
		cmp.Compare(k.newLock.File, o.newLock.File),
		cmp.Compare(k.newLock.Offset, o.newLock.Offset),
		cmp.Compare(k.newLock.Name, o.newLock.Name),
		cmp.Compare(k.newLock.Type, o.newLock.Type),
		compareBools(k.read, o.read),
		cmp.Compare(k.expr, o.expr),
		cmp.Compare(k.form, o.form),
		cmp.Compare(k.parts, o.parts),
	)
}

// String returns the key in one unambiguous line, equal for equal keys only. It
// is made for maps, not for people.
func (k EditKey) String() string {
	n := k.newLock
	return fmt.Sprintf("%q %q %d %d %d %q %q %q %q %d %q %q %t %q %q %q", k.operator, k.file, k.node, k.other, k.count,
		k.lock, k.lockKey, n.Kind, n.File, n.Offset, n.Name, n.Type, k.read, k.expr, k.form, k.parts)
}

// partsKey identifies the set of a composite edit's parts, whatever their order.
func partsKey(parts []Edit) string {
	keys := make([]string, len(parts))
	for i := range parts {
		keys[i] = parts[i].Key().String()
	}
	slices.Sort(keys)
	return strings.Join(slices.Compact(keys), "\n")
}

// Has reports whether an edit equal to e is among edits.
func Has(edits []Edit, e Edit) bool {
	k := e.Key()
	return slices.ContainsFunc(edits, func(o Edit) bool { return o.Key() == k })
}

// HasAll reports whether all of some edits are among edits.
func HasAll(edits, some []Edit) bool {
	return !slices.ContainsFunc(some, func(e Edit) bool { return !Has(edits, e) })
}

// compareEdits orders edits by their places, then by what they are; it is 0
// for edits with equal keys only.
func compareEdits(a, b Edit) int { return comparePlaces(&a, &b) }

func comparePlaces(a, b *Edit) int {
	if c := cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Operator, b.Operator)); c != 0 {
		return c
	}
	return a.Key().Compare(b.Key())
}

// byWorth orders edits: those of the greatest worth first, then in source order.
func byWorth(a, b *Edit) int {
	if c := cmp.Compare(b.Worth(), a.Worth()); c != 0 {
		return c
	}
	return comparePlaces(a, b)
}

// hash is equal for equal keys.
func (k EditKey) hash(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var b [8]byte
	for _, s := range []string{k.operator, k.file, k.lock, k.lockKey, k.newLock.Kind, k.newLock.Name, k.newLock.Type, k.expr, k.form, k.parts} {
		h.WriteString(s)
		h.WriteByte(0)
	}
	for _, n := range []int{k.node, k.other, k.count, k.newLock.Offset} {
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		h.Write(b[:])
	}
	return h.Sum64()
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Composite returns the composite edit of an operator that stands for the
// parts. It is placed at the one of the greatest worth and has its heat and belief; what all parts
// have in common, such as the lock, it has, too, and the variables of all. A
// single part gives a composite edit all the same. There must be one. It reaches
// what any of its parts does.
func Composite(operator string, parts ...Edit) Edit {
	parts = flatten(parts)
	slices.SortFunc(parts, compareEdits)
	hottest := parts[0]
	for _, p := range parts[1:] {
		if p.Worth() > hottest.Worth() {
			hottest = p
		}
	}
	e := Edit{
		Operator: operator, File: hottest.File, Line: hottest.Line, Func: hottest.Func, Node: hottest.Node,
		Lock: hottest.Lock, Heat: hottest.Heat, Belief: hottest.Belief, Note: hottest.Note, Parts: parts,
	}
	e.reachOf(parts)
	for _, p := range parts {
		if e.Lock != nil && (p.Lock == nil || p.Lock.Key != e.Lock.Key) {
			e.Lock = nil
		}
		if p.Note != e.Note {
			e.Note = ""
		}
		e.Vars = append(e.Vars, p.Vars...)
		e.Flags = append(e.Flags, p.Flags...)
	}
	slices.Sort(e.Vars)
	slices.Sort(e.Flags)
	e.Vars, e.Flags = slices.Compact(e.Vars), slices.Compact(e.Flags)
	return e
}

// reachOf gives a composite edit the reach of all its parts together, unless some
// part covers nothing.
func (e *Edit) reachOf(parts []Edit) {
	for _, p := range parts {
		if p.Reach == 0 {
			return
		}
		e.races = e.races.With(p.races)
	}
	e.Reach = e.races.Share()
}

// flatten puts the parts of composite edits in their place. Of edits that are
// the same a plain one stays, and of parts the one that says most; a plain edit
// that is named twice stays a mistake.
func flatten(edits []Edit) []Edit {
	if !slices.ContainsFunc(edits, func(e Edit) bool { return len(e.Parts) > 0 }) {
		return edits
	}
	plain := make(map[EditKey]bool)
	var flat []Edit
	for _, e := range edits {
		if len(e.Parts) == 0 {
			plain[e.Key()] = true
			flat = append(flat, e)
		}
	}
	at := make(map[EditKey]int)
	for _, e := range edits {
		if len(e.Parts) == 0 {
			continue
		}
		for _, p := range flatten(e.Parts) {
			k := p.Key()
			i, known := at[k]
			switch {
			case plain[k]:
			case !known:
				at[k] = len(flat)
				flat = append(flat, p)
			case saysMore(p, flat[i]):
				flat[i] = p
			}
		}
	}
	return flat
}

// saysMore orders edits that are the same but were made for other variables, so
// that the order in which they are named does not matter.
func saysMore(a, b Edit) bool {
	return cmp.Or(
		cmp.Compare(len(b.Vars), len(a.Vars)),
		slices.Compare(a.Vars, b.Vars),
		cmp.Compare(a.Note, b.Note),
		cmp.Compare(b.Worth(), a.Worth()),
		slices.Compare(a.Flags, b.Flags),
	) < 0
}
