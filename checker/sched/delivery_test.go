package sched

import (
	"reflect"
	"strings"
	"testing"
)

func TestPrinted(t *testing.T) {
	type pair struct {
		name string
		next *pair
	}
	for want, value := range map[string]any{
		"-3":                                 int8(-3),
		"255":                                uint8(255),
		"0.5":                                0.5,
		"(1+2i)":                             1 + 2i,
		`{"a" nil}`:                          pair{name: "a"},
		`{"b" non-nil}`:                      pair{"b", &pair{}},
		"[1 2]":                              [2]int{1, 2},
		"non-nil":                            []int{1},
		"[[[...]]]":                          [1][1][1][2][1]int{},
		`"` + strings.Repeat("b", 100) + `"`: strings.Repeat("b", 200),
	} {
		if got := printed(reflect.ValueOf(value), printedDepth); got != want {
			t.Errorf("%v: %s, want %s", value, got, want)
		}
	}
	large := printed(reflect.ValueOf([1000]int{}), printedDepth)
	if len(large) > printedLength+10 || !strings.HasSuffix(large, "...]") {
		t.Errorf("a large array is printed as %d bytes", len(large))
	}
}
