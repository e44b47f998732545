package hook

import (
	"os"
	"runtime"
	"strconv"
	"time"
)

// Env is the environment variable with the seed, a decimal number. Without it
// the hooks do nothing.
const Env = "MENDEL_NOISE"

const (
	points    = 1 << 12 // counters; points that share one merely decay together
	coolDown  = 32      // passes after which a point perturbs half as often; guessed
	maxYields = 1 << 15 // per run: some 20 ms
	// Sleep per run, summed over goroutines: at most baseSleep for a sequential
	// program, and goroutineSleep for each further goroutine, since goroutines
	// sleep side by side. Guessed; a benchmark shows the effect.
	baseSleep      = 100 * time.Millisecond
	goroutineSleep = 20 * time.Millisecond
	maxSleep       = time.Second
	// granularity is how long the shortest sleep of an idle program lasts on
	// Linux (measured): the poller waits for whole milliseconds.
	granularity = time.Millisecond
)

// A kind is where a hook stands.
type kind int

const (
	before kind = iota // a statement, or first in a body
	after              // a statement that synchronises: often inside a critical section, or between two
	start              // of a goroutine
	kinds
)

// A profile is the way in which one seed perturbs. Successive seeds have different
// profiles, so that the runs of one score differ in kind, not only in random
// numbers. A bug shows when one goroutine is delayed inside a window, and the others
// are not delayed before it.
type profile struct {
	hot      uint64        // of 256: share of the points that perturb at all
	rates    [kinds]uint64 // of 256: how often a hot point perturbs at first
	sleeps   uint64        // of 256: share of perturbations that sleep; the others yield
	shortest time.Duration // of a sleep
	longest  time.Duration
}

// The numbers are guessed, then corrected until two small programs, a pair of
// locks taken in opposite order and a lost update, failed more often.
var profiles = [...]profile{
	{hot: 256, rates: [kinds]uint64{224, 224, 128}, sleeps: 48, shortest: time.Microsecond, longest: 200 * time.Microsecond},
	{hot: 208, rates: [kinds]uint64{24, 208, 16}, sleeps: 256, shortest: 100 * time.Microsecond, longest: 2 * time.Millisecond},
	{hot: 208, rates: [kinds]uint64{192, 112, 16}, sleeps: 256, shortest: 100 * time.Microsecond, longest: 2 * time.Millisecond},
	{hot: 96, rates: [kinds]uint64{240, 240, 128}, sleeps: 256, shortest: time.Millisecond, longest: 4 * time.Millisecond},
}

// State of the hooks. It is set before the program's own code runs and then
// used without synchronisation.
var (
	on      bool
	seed    uint64
	manner  profile
	passes  [points]uint32
	passed  uint64 // hooks so far: that something moves
	yields  uint32
	slept   time.Duration
	started uint32 // goroutines
)

func init() { configure(os.Getenv(Env)) }

// configure starts the noise that a seed stands for.
func configure(text string) {
	past.on = text == Past
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		on = false
		return
	}
	on, seed, manner = true, mix(n), profiles[n%uint64(len(profiles))]
}

// P is a point before a statement at which the program may be perturbed.
//
//go:norace
func P(point uint32) {
	passed++
	if past.on {
		bearWitness()
	}
	if on {
		perturb(point, before)
	}
}

// A is a point after a statement that synchronises.
//
//go:norace
func A(point uint32) {
	passed++
	if past.on {
		bearWitness()
	}
	if on {
		perturb(point, after)
	}
}

// G is the point at the beginning of a goroutine.
//
//go:norace
func G(point uint32) {
	passed++
	if past.on {
		bearWitness()
	}
	started++
	if on {
		perturb(point, start)
	}
}

// perturb yields, sleeps, or does nothing, by a hash of the seed, the point and how
// often it was passed.
//
//go:norace
func perturb(point uint32, k kind) {
	character := mix(seed ^ uint64(point))
	if character&0xff >= manner.hot {
		return
	}
	n := uint64(passes[point%points])
	passes[point%points]++
	h := mix(character ^ n)
	if h&0xff >= manner.rates[k]*coolDown/(coolDown+n) {
		return
	}
	if h>>8&0xff < manner.sleeps && slept < allowance() {
		d := manner.shortest + time.Duration((h>>16)%uint64(manner.longest-manner.shortest))
		slept += max(d, granularity)
		rest(d)
		return
	}
	if yields < maxYields {
		yields++
		runtime.Gosched()
	}
}

// allowance is how long all goroutines together may sleep.
//
//go:norace
func allowance() time.Duration {
	return min(baseSleep+time.Duration(started)*goroutineSleep, maxSleep)
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014, figure 15).
//
//go:norace
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// moved returns how many hooks have been passed: by this the watchdog sees progress.
//
//go:norace
func moved() uint64 { return passed }
