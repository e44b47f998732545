package evidence

import (
	"fmt"
	"regexp"
	"strings"

	"mendel/analysis/evidence/symbol"
)

const (
	raceStart = "WARNING: DATA RACE"
	raceEnd   = "=================="
	// raceNoise is how many lines of other output may interrupt a report.
	raceNoise = 32
)

var (
	raceAccess  = regexp.MustCompile(`^((?:[Pp]revious )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite))(?: of size \d+)? at 0x[0-9a-f]+ by (?:(main) goroutine|goroutine (\d+)):`)
	raceCreated = regexp.MustCompile(`^Goroutine (\d+) \((?:running|finished)\) created at:`)
)

// race parses a report of the race detector. Its lines may be interleaved with
// other output, because the detector writes line by line.
func (p *parser) race() bool {
	if !strings.HasSuffix(p.line, raceStart) {
		return false
	}
	p.next()
	r := raceReport{creators: make(map[string][]Frame)}
	for strange := 0; p.more() && p.line != raceEnd && strange <= raceNoise; {
		if strings.HasSuffix(p.line, raceStart) {
			break // truncated; the next report follows
		}
		if r.take(p.line) {
			strange = 0
		} else {
			strange++
		}
		p.next()
	}
	if f, ok := r.failure(); ok {
		p.add(f)
	}
	return true
}

// A raceReport is a report as far as it has been read.
type raceReport struct {
	stacks   []Stack
	ids      []string           // goroutine of each stack; "" is main
	creators map[string][]Frame // by goroutine
	creator  string             // whose creation stack is being read; "" when an access is
	fn       string             // a call whose file line has not come yet
}

// take reads one line of a report; false: it is none.
func (r *raceReport) take(line string) bool {
	if m := raceAccess.FindStringSubmatch(line); m != nil {
		r.stacks = append(r.stacks, Stack{Role: strings.ToLower(m[1])})
		r.ids = append(r.ids, m[3])
		r.creator, r.fn = "", ""
		return true
	}
	if m := raceCreated.FindStringSubmatch(line); m != nil {
		r.creator, r.fn = m[1], ""
		return true
	}
	if file, n, ok := stackLine(line); ok && r.fn != "" && strings.HasPrefix(line, "    ") {
		r.push(Frame{Func: r.fn, File: file, Line: n})
		r.fn = ""
		return true
	}
	if call, ok := strings.CutPrefix(line, "  "); ok {
		if fn, ok := callName(call); ok && strings.HasSuffix(call, "()") {
			r.fn = symbol.Elided(fn)
			return true
		}
	}
	return line == "" || strings.Contains(line, "[failed to restore the stack]")
}

func (r *raceReport) push(f Frame) {
	if r.creator != "" {
		if c := r.creators[r.creator]; len(c) < maxFrames {
			r.creators[r.creator] = append(c, f)
		}
		return
	}
	if n := len(r.stacks); n > 0 && len(r.stacks[n-1].Frames) < maxFrames {
		r.stacks[n-1].Frames = append(r.stacks[n-1].Frames, f)
	}
}

// failure makes a failure of what was read; a report cut off before its first
// access is none.
func (r *raceReport) failure() (Failure, bool) {
	if len(r.stacks) == 0 {
		return Failure{}, false
	}
	var parts []string
	for i := range r.stacks {
		s := &r.stacks[i]
		s.Created = r.creators[r.ids[i]]
		at := "a place whose stack the race detector lost"
		if f, ok := innermost(s.Frames); ok {
			at = Describe(f)
		}
		parts = append(parts, fmt.Sprintf("%s in %s", s.Role, at))
	}
	return Failure{
		Kind:      Race,
		Signature: sign(Race, r.stacks, true),
		Message:   "data race: " + strings.Join(parts, ", "),
		Stacks:    r.stacks,
	}, true
}
