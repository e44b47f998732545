package rand_test

import (
	"fmt"
	"slices"
	"testing"

	"mendel/checker/shim/internal/explore"
	"mendel/checker/shim/rand/v2"
)

func check(t *testing.T, body func() string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := explore.Outcomes(t, body); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestFewAreAllTried(t *testing.T) {
	check(t, func() string { return fmt.Sprint(rand.IntN(2), rand.N[uint8](2)) }, "0 0", "0 1", "1 0", "1 1")
	check(t, func() string { return fmt.Sprint(rand.Uint32N(3)) }, "0", "1", "2")
	permutations := []string{"[0 1 2]", "[0 2 1]", "[1 0 2]", "[1 2 0]", "[2 0 1]", "[2 1 0]"}
	check(t, func() string { return fmt.Sprint(rand.Perm(3)) }, permutations...)
	check(t, func() string {
		s := []int{0, 1, 2}
		rand.Shuffle(3, func(i, j int) { s[i], s[j] = s[j], s[i] })
		return fmt.Sprint(s)
	}, permutations...)
}

// Of many there are as many samples as seeds, the same each time.
func TestManyAreSampled(t *testing.T) {
	body := func() string {
		return fmt.Sprint(rand.Int(), rand.Int32(), rand.Int64(), rand.Uint(), rand.Uint32(), rand.Uint64(),
			rand.Float32(), rand.Float64(), rand.NormFloat64(), rand.ExpFloat64(),
			rand.Int32N(99), rand.Int64N(99), rand.UintN(99), rand.Uint64N(99), rand.Perm(9))
	}
	got := explore.Outcomes(t, body)
	if len(got) != 4 || !slices.Equal(got, explore.Outcomes(t, body)) {
		t.Errorf("%d samples, or other ones the second time", len(got))
	}
}

func TestMisuse(t *testing.T) {
	for want, misuse := range map[string]func(){
		"invalid argument to IntN":    func() { rand.IntN(0) },
		"invalid argument to Int32N":  func() { rand.Int32N(-1) },
		"invalid argument to Int64N":  func() { rand.Int64N(0) },
		"invalid argument to UintN":   func() { rand.UintN(0) },
		"invalid argument to Uint32N": func() { rand.Uint32N(0) },
		"invalid argument to Uint64N": func() { rand.Uint64N(0) },
		"invalid argument to N":       func() { rand.N(-1) },
		"invalid argument to Shuffle": func() { rand.Shuffle(-1, nil) },
	} {
		body := func() (got string) {
			defer func() { got = fmt.Sprint(recover()) }()
			misuse()
			return
		}
		check(t, body, want)
		if got := body(); got != want {
			t.Errorf("outside control: %q, want %q", got, want)
		}
	}
}

func TestOutsideControl(t *testing.T) {
	if n := rand.IntN(10); n < 0 || n > 9 || len(rand.Perm(5)) != 5 || rand.Float64() >= 1 {
		t.Error("out of range")
	}
	rand.Shuffle(3, func(i, j int) {})
}
