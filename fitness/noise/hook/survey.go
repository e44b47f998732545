package hook

import (
	"slices"
	"strconv"
	"time"
)

// A View is what a dump shows of the goroutines that are not held.
type View struct {
	Moving  bool // one runs or can run
	Waiting bool // one sleeps, or waits for the network, the kernel or a timer
	Asked   bool // the goroutine that was asked for is blocked, sleeps, or has ended
}

// Survey looks what the other goroutines can do, without those that are held. With
// neither Moving nor Waiting nothing else can go on. asked is the number of a
// goroutine of special interest; 0: none.
func Survey(held []uint64, asked uint64) View {
	all, complete := goroutines()
	v := View{Moving: !complete, Asked: complete}
	own := number(all)
	for _, g := range all {
		id, err := strconv.ParseUint(g.id, 10, 64)
		if err != nil || id == own || slices.Contains(held, id) {
			continue
		}
		moving := g.hold == active && g.state != "sleep"
		if id == asked && moving {
			v.Asked = false
		}
		v.Moving = v.Moving || moving
		v.Waiting = v.Waiting || g.hold == external || g.state == "sleep" && g.hold != system
	}
	return v
}

// number is that of the goroutine that took a dump: it comes first.
func number(all []goroutine) uint64 {
	if len(all) == 0 {
		return 0
	}
	id, _ := strconv.ParseUint(all[0].id, 10, 64)
	return id
}

// Rest pauses the calling goroutine, without any happens-before edge.
func Rest(d time.Duration) { rest(d) }
