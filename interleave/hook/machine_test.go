package hook

import (
	"slices"
	"testing"
)

// Sites and locations of the scripts.
const (
	siteA, siteB, siteC, siteD, other = 1, 2, 3, 4, 9
	placeX, placeY                    = 100, 200
)

func machineFor(idiom int) *machine {
	m := &machine{}
	m.begin(Script{Idiom: idiom, Sites: [4]uint32{siteA, siteB, siteC, siteD}, Seed: 1})
	return m
}

// heldNow are the goroutines that a machine holds, by number.
func (m *machine) list() (ids []uint64) {
	for _, h := range m.held {
		if h.id != 0 {
			ids = append(ids, h.id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (m *machine) want(t *testing.T, exposed bool, held ...uint64) {
	t.Helper()
	if m.exposed != exposed || !slices.Equal(m.list(), held) {
		t.Fatalf("exposed %t, held %v; want %t, %v (%d steps done, given up %d)", m.exposed, m.list(), exposed, held, m.done, m.gaveUp)
	}
}

// The first goroutine waits for the second one; it goes first, and the second when
// it has gone.
func TestIdiom1(t *testing.T) {
	m := machineFor(1)
	m.arrive(1, siteA, placeX)
	m.want(t, false, 1)
	m.arrive(2, siteB, placeX)
	m.want(t, false, 2)
	m.went(1)
	m.want(t, true)
}

// The second goroutine comes first, and waits.
func TestIdiom1Early(t *testing.T) {
	m := machineFor(1)
	m.arrive(2, siteB, placeX)
	m.want(t, false, 2)
	m.arrive(1, siteA, placeX)
	m.want(t, false, 2)
	m.went(1)
	m.want(t, true)
}

// When nothing else can go on, A is made without B, and others are held that would
// come between them. When B cannot come either, the attempt is given up.
func TestIdiom1Watch(t *testing.T) {
	m := machineFor(1)
	m.arrive(1, siteA, placeX)
	m.still()
	m.want(t, false)
	m.went(1)
	m.arrive(3, other, placeX)
	m.want(t, false, 3)
	m.arrive(3, other, placeY)
	m.arrive(2, siteB, placeX)
	m.want(t, true, 3)
	m.went(2)
	m.want(t, true)

	m = machineFor(1)
	m.arrive(1, siteA, placeX)
	m.still()
	m.went(1)
	m.arrive(3, other, placeX)
	m.still()
	m.want(t, false)
	if m.gaveUp != 1 || m.done != 0 {
		t.Errorf("given up %d times, %d steps done", m.gaveUp, m.done)
	}
}

// Until B is made, the goroutine that made A does not touch the location again.
func TestIdiom1BeforeB(t *testing.T) {
	m := machineFor(1)
	m.arrive(1, siteA, placeX)
	m.arrive(2, siteB, placeX)
	m.went(1)
	m.want(t, true)
	if m.arrive(1, other, placeY) || !m.arrive(1, other, placeX) {
		t.Error("not held at the location, or at another one")
	}
	m.leaves(2)
	m.want(t, true, 1)
	m.went(2)
	m.want(t, true)
	if m.arrive(3, siteA, placeX) {
		t.Error("held when all is over")
	}
}

// The goroutine that made A touches the location before B comes: given up.
func TestIdiom1OwnAccess(t *testing.T) {
	m := machineFor(1)
	m.arrive(1, siteA, placeX)
	m.still()
	m.went(1)
	m.arrive(1, other, placeX)
	if m.want(t, false); m.gaveUp != 1 {
		t.Errorf("given up %d times", m.gaveUp)
	}
}

// B that waits for an A that cannot come goes on.
func TestIdiom1OnlyB(t *testing.T) {
	m := machineFor(1)
	m.arrive(2, siteB, placeX)
	m.still()
	if m.want(t, false); m.gaveUp != 1 {
		t.Errorf("given up %d times", m.gaveUp)
	}
}

// One place for both ends, as two goroutines that count.
func TestSamePlace(t *testing.T) {
	m := &machine{}
	m.begin(Script{Idiom: 1, Sites: [4]uint32{siteA, siteA}})
	m.arrive(1, siteA, placeX)
	m.want(t, false, 1)
	m.arrive(2, siteA, placeX)
	m.want(t, false, 2)
	m.went(1)
	m.want(t, true)
}

// The ends of a dependency are at one location: at another one a candidate takes
// the place of the one that waits, or does not, by the seed. Nobody is ever exposed.
func TestOtherLocation(t *testing.T) {
	first, second := 0, 0
	for seed := range uint64(64) {
		m := &machine{}
		m.begin(Script{Idiom: 1, Sites: [4]uint32{siteA, siteB}, Seed: seed})
		m.arrive(1, siteA, placeX)
		m.arrive(2, siteB, placeY)
		if m.exposed || m.done > 0 {
			t.Fatal("exposed at two locations")
		}
		switch held := m.list(); {
		case slices.Equal(held, []uint64{1}):
			first++
		case slices.Equal(held, []uint64{2}):
			second++
		default:
			t.Fatalf("held %v", held)
		}
	}
	if first < 16 || second < 16 {
		t.Errorf("%d stay, %d are replaced; want about as many", first, second)
	}
}

func TestIdiom2(t *testing.T) {
	m := machineFor(2)
	m.arrive(1, siteA, placeX)
	m.arrive(2, siteB, placeX)
	m.went(1)
	m.want(t, false, 2) // until goroutine 1 is at C
	m.arrive(1, siteC, placeX)
	m.want(t, false, 1)
	m.went(2)
	m.want(t, true)
}

// C by another goroutine than A is no idiom 2: it is held like any other.
func TestIdiom2OtherGoroutine(t *testing.T) {
	m := machineFor(2)
	m.arrive(1, siteA, placeX)
	m.arrive(2, siteB, placeX)
	m.went(1)
	m.arrive(3, siteC, placeX)
	m.want(t, false, 2, 3)
}

func TestIdiom4(t *testing.T) {
	m := machineFor(4)
	m.arrive(1, siteA, placeX)
	m.arrive(2, siteB, placeX)
	m.went(1)
	m.want(t, false) // B is made at once
	m.arrive(1, siteD, placeY)
	m.want(t, false, 1)
	m.went(2)
	m.arrive(2, siteC, placeY)
	m.want(t, false, 1)
	m.went(2)
	m.want(t, true)
}

// Two locks in opposite order: each goroutine takes its first, then both ask for
// their second, of which one is blocked.
func TestIdiom5(t *testing.T) {
	m := machineFor(5)
	m.arrive(1, siteA, placeX)
	m.want(t, false, 1)
	m.arrive(2, siteC, placeY)
	m.went(1)
	m.want(t, false)
	m.arrive(1, siteD, placeY)
	m.want(t, false, 1)
	m.went(2)
	m.arrive(2, siteB, placeX)
	m.want(t, false, 1)
	m.still() // goroutine 2 is blocked
	m.want(t, true)
}

// Whoever may go but still sleeps has not gone: nobody else does.
func TestLeaving(t *testing.T) {
	m := machineFor(1)
	m.arrive(1, siteA, placeX)
	m.arrive(2, siteB, placeX)
	m.still()
	m.want(t, false, 2)
	m.leaves(1)
	m.still() // it is blocked
	m.want(t, true)
}

// D may come before B.
func TestIdiom5Swapped(t *testing.T) {
	m := machineFor(5)
	m.arrive(1, siteA, placeX)
	m.arrive(2, siteC, placeY)
	m.went(1)
	m.went(2)
	m.arrive(1, siteD, placeY)
	m.still()
	m.want(t, false)
	m.went(1)
	m.arrive(2, siteB, placeX)
	m.want(t, true)
}

func TestIdiom6(t *testing.T) {
	m := machineFor(6)
	m.arrive(1, siteA, placeX)
	m.arrive(2, siteB, placeX)
	m.went(1)
	m.arrive(1, siteC, placeY)
	m.want(t, false, 1)
	m.went(2)
	m.arrive(2, siteD, placeY)
	m.went(1)
	m.want(t, true)
}

// Goroutines that begin late begin when nothing else can go on, the oldest first,
// and the script is not given up for it.
func TestLate(t *testing.T) {
	m := machineFor(1)
	m.late(8)
	m.late(7)
	m.want(t, false, 7, 8)
	m.still()
	m.want(t, false, 8)
	m.still()
	if m.want(t, false); m.gaveUp != 0 {
		t.Errorf("given up %d times", m.gaveUp)
	}
}

// In the end the program is left alone.
func TestSpent(t *testing.T) {
	m := machineFor(1)
	for range maxAttempts {
		m.arrive(2, siteB, placeX)
		m.still()
	}
	if m.arrive(2, siteB, placeX) || !m.spent {
		t.Error("it goes on for ever")
	}
}

func TestScriptText(t *testing.T) {
	want := Script{Idiom: 5, Sites: [4]uint32{1, 2, 3, 4}, Seed: 7, Late: true, Patience: 9}
	if got, ok := parseScript(want.String()); !ok || got != want {
		t.Errorf("%v, %t", got, ok)
	}
	for _, text := range []string{"", "1", "7 1 0 0 1 2 3 4", "0 1 0 0 1 2 3 4", "1 1 0 0 a 2 3 4", "1 1 0 0 1 2 3 4 5"} {
		if s, ok := parseScript(text); ok {
			t.Errorf("%q is %v", text, s)
		}
	}
}
