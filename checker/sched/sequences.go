package sched

import (
	"bytes"
	"iter"
	"slices"
)

// Iterators of packages maps, slices and bytes over what may be shared: it is read when
// they run, one element after the other, and not when they are made.

// MapsAll is maps.All.
func MapsAll[Map ~map[K]V, K comparable, V any](m Map) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for r, k, v, ok := RangeMap(m); ok; k, v, ok = r.Next() {
			if !yield(k, v) {
				return
			}
		}
	}
}

// MapsKeys is maps.Keys.
func MapsKeys[Map ~map[K]V, K comparable, V any](m Map) iter.Seq[K] {
	return func(yield func(K) bool) {
		for k := range MapsAll(m) {
			if !yield(k) {
				return
			}
		}
	}
}

// MapsValues is maps.Values.
func MapsValues[Map ~map[K]V, K comparable, V any](m Map) iter.Seq[V] {
	return func(yield func(V) bool) {
		for _, v := range MapsAll(m) {
			if !yield(v) {
				return
			}
		}
	}
}

// SlicesAll is slices.All.
func SlicesAll[Slice ~[]E, E any](s Slice) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := range s {
			if !yield(i, *R(&s[i])) {
				return
			}
		}
	}
}

// SlicesValues is slices.Values.
func SlicesValues[Slice ~[]E, E any](s Slice) iter.Seq[E] {
	return func(yield func(E) bool) {
		for i := range s {
			if !yield(*R(&s[i])) {
				return
			}
		}
	}
}

// SlicesBackward is slices.Backward.
func SlicesBackward[Slice ~[]E, E any](s Slice) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := range slices.Backward(s) {
			if !yield(i, *R(&s[i])) {
				return
			}
		}
	}
}

// BytesLines is bytes.Lines.
func BytesLines(s []byte) iter.Seq[[]byte] { return ofBytes(bytes.Lines(s), s) }

// BytesSplitSeq is bytes.SplitSeq.
func BytesSplitSeq(s, sep []byte) iter.Seq[[]byte] { return ofBytes(bytes.SplitSeq(s, sep), s, sep) }

// BytesSplitAfterSeq is bytes.SplitAfterSeq.
func BytesSplitAfterSeq(s, sep []byte) iter.Seq[[]byte] {
	return ofBytes(bytes.SplitAfterSeq(s, sep), s, sep)
}

// BytesFieldsSeq is bytes.FieldsSeq.
func BytesFieldsSeq(s []byte) iter.Seq[[]byte] { return ofBytes(bytes.FieldsSeq(s), s) }

// BytesFieldsFuncSeq is bytes.FieldsFuncSeq.
func BytesFieldsFuncSeq(s []byte, f func(rune) bool) iter.Seq[[]byte] {
	return ofBytes(bytes.FieldsFuncSeq(s, f), s)
}

// ofBytes is a sequence that reads some bytes when it runs.
func ofBytes(seq iter.Seq[[]byte], read ...[]byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, b := range read {
			ReadElements(b)
		}
		seq(yield)
	}
}
