package rand_test

import (
	"fmt"
	realrand "math/rand"
	"slices"
	"testing"

	"mendel/checker/shim/internal/explore"
	"mendel/checker/shim/rand"
)

func check(t *testing.T, body func() string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := explore.Outcomes(t, body); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestFewAreAllTried(t *testing.T) {
	check(t, func() string { return fmt.Sprint(rand.Intn(2), rand.Int31n(1), rand.Int63n(2)) },
		"0 0 0", "0 0 1", "1 0 0", "1 0 1")
	check(t, func() string { return fmt.Sprint(rand.Intn(4)) }, "0", "1", "2", "3")
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
		return fmt.Sprint(rand.Int(), rand.Int31(), rand.Int63(), rand.Uint32(), rand.Uint64(), rand.Float32(),
			rand.Float64(), rand.NormFloat64(), rand.ExpFloat64(), rand.Intn(1000), rand.Perm(9))
	}
	got := explore.Outcomes(t, body)
	if len(got) != 4 || !slices.Equal(got, explore.Outcomes(t, body)) {
		t.Errorf("%d samples, or other ones the second time", len(got))
	}
}

// A loop that waits for a value ends in each schedule that the search takes first.
func TestLoopEnds(t *testing.T) {
	got := explore.Sample(t, 1, 20, func() string {
		for rand.Intn(4) != 3 {
		}
		return "ended"
	})
	if !slices.Equal(got, []string{"ended"}) {
		t.Errorf("got %q", got)
	}
}

func TestSeedGivesTheRealValues(t *testing.T) {
	real := realrand.New(realrand.NewSource(42))
	p := make([]byte, 4)
	want := fmt.Sprint(real.Intn(3), real.Perm(3), real.Int())
	real.Shuffle(3, func(i, j int) { want += fmt.Sprint(i, j) })
	real.Read(p)
	want += fmt.Sprint(p)
	check(t, func() string {
		rand.Seed(42)
		got := fmt.Sprint(rand.Intn(3), rand.Perm(3), rand.Int())
		rand.Shuffle(3, func(i, j int) { got += fmt.Sprint(i, j) })
		p := make([]byte, 4)
		rand.Read(p)
		return got + fmt.Sprint(p)
	}, want)
}

func TestMisuse(t *testing.T) {
	for want, misuse := range map[string]func(){
		"invalid argument to Intn":    func() { rand.Intn(0) },
		"invalid argument to Int31n":  func() { rand.Int31n(-1) },
		"invalid argument to Int63n":  func() { rand.Int63n(0) },
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
	if n := rand.Intn(10); n < 0 || n > 9 || len(rand.Perm(5)) != 5 || rand.Float64() >= 1 {
		t.Error("out of range")
	}
	rand.Shuffle(3, func(i, j int) {})
	if n, err := rand.Read(make([]byte, 3)); n != 3 || err != nil {
		t.Error(n, err)
	}
}
