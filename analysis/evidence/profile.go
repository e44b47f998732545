package evidence

import (
	"regexp"
	"strings"

	"mendel/analysis/evidence/symbol"
)

// Names of the profiles of package runtime/pprof that show goroutines.
const (
	goroutineProfile = "goroutine"
	leakProfile      = "goroutineleak"
)

var (
	profileHead   = regexp.MustCompile(`^(goroutine|goroutineleak) profile: total \d+$`)
	profileRecord = regexp.MustCompile(`^\d+ @(?: 0x[0-9a-f]+)*$`)
)

// profile parses a goroutine or goroutineleak profile as text (debug=1).
func (p *parser) profile() bool {
	m := profileHead.FindStringSubmatch(p.line)
	if m == nil {
		return false
	}
	p.next()
	var all []Goroutine
	for ; p.more(); p.next() {
		switch {
		case profileRecord.MatchString(p.line):
			all = append(all, Goroutine{ID: int64(len(all)) + 1})
		case len(all) > 0 && strings.HasPrefix(p.line, "#\t0x"):
			g := &all[len(all)-1]
			if f, ok := profileFrame(p.line); ok && len(g.Frames) < maxFrames {
				g.Frames = append(g.Frames, f)
			}
		case p.line != "" && !strings.HasPrefix(p.line, "#"):
			p.profiled(m[1], all)
			return true
		}
	}
	p.profiled(m[1], all)
	return true
}

// profileFrame parses "#\t0x5321c4\tmain.f+0x24\t\t/src/main.go:30".
func profileFrame(line string) (Frame, bool) {
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == '\t' })
	if len(fields) != 4 {
		return Frame{}, false
	}
	fn := fields[2]
	if i := strings.LastIndex(fn, "+0x"); i > 0 {
		fn = fn[:i]
	}
	file, n, ok := stackLine("\t" + fields[3])
	return Frame{Func: fn, File: file, Line: n}, ok
}

func (p *parser) profiled(name string, all []Goroutine) {
	if f, ok := profileFailure(name, all); ok {
		p.add(f)
	}
}

// profileFailure classifies the goroutines of a profile, which has their positions
// but not their states.
func profileFailure(name string, all []Goroutine) (Failure, bool) {
	for i := range all {
		g := &all[i]
		g.State = stateAt(g.Frames)
		if g.Leaked = name == leakProfile; g.Leaked && g.State == "" {
			g.State = "channel" // what else such a profile tells of is in package sync
		}
	}
	return dump(all)
}

// states are those of goroutines that stand in functions of the runtime.
var states = map[string]string{
	"runtime.chansend":                "chan send",
	"runtime.chanrecv":                "chan receive",
	"runtime.selectgo":                "select",
	"runtime.block":                   "select (no cases)",
	"time.Sleep":                      "sleep",
	"internal/poll.runtime_pollWait":  "IO wait",
	"internal/sync.(*Mutex).Lock":     "sync.Mutex.Lock",
	"internal/sync.(*Mutex).lockSlow": "sync.Mutex.Lock",
	"sync.(*Mutex).Lock":              "sync.Mutex.Lock",
	"sync.(*RWMutex).Lock":            "sync.RWMutex.Lock",
	"sync.(*RWMutex).RLock":           "sync.RWMutex.RLock",
	"sync.(*Cond).Wait":               "sync.Cond.Wait",
	"sync.(*WaitGroup).Wait":          "sync.WaitGroup.Wait",
}

// stateAt is the state of a goroutine by the outermost of the known functions
// that it stands in, as a dump would have it; "" if there is none.
func stateAt(frames []Frame) string {
	state := ""
	for _, f := range frames {
		if known := states[f.Func]; known != "" {
			state = known
		} else if !symbol.IsRuntime(f.Func) {
			break
		}
	}
	return state
}
