package frugal

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// garbage is how much there may be before it is collected, and least how much of what is
// in use, in per cent, however much that is. Of a module of 110,000 lines the first is reached.
const (
	garbage = 192 << 20
	least   = 45
)

// Heap bounds the garbage of this process from now on.
func Heap() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		watch(garbage)
	}
}

// A cycle is garbage at once: the collector says so at the end of each of its cycles.
type cycle struct {
	garbage uint64
	percent int
	sample  []metrics.Sample
}

func watch(garbage uint64) {
	c := &cycle{garbage: garbage, percent: 100, sample: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
	runtime.SetFinalizer(c, (*cycle).ended)
}

// ended sets the collector for the next cycle.
func (c *cycle) ended() {
	metrics.Read(c.sample)
	if live := c.sample[0].Value; live.Kind() == metrics.KindUint64 {
		if p := percent(live.Uint64(), c.garbage); p != c.percent {
			c.percent = p
			debug.SetGCPercent(p)
		}
	}
	runtime.SetFinalizer(c, (*cycle).ended)
}

// percent is by how much a heap may grow that has so much in use.
func percent(live, garbage uint64) int {
	if live <= garbage {
		return 100
	}
	return max(least, int(100*garbage/live))
}
