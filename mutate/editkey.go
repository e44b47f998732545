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
