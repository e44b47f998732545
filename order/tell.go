package order

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// judge reports what came too early, and what did not come.
func (r *run) judge(t *testing.T) {
	t.Helper()
	texts, outside, lacking := r.report()
	for _, text := range texts {
		if r.mode == expect {
			t.Error("order: " + text)
		} else {
			t.Log("order: nothing else could go on, so " + text)
		}
	}
	if outside {
		t.Error("order: an event was passed in another bubble of testing/synctest than the order was begun in; begin it in that bubble")
	}
	if lacking == "" {
		return
	}
	if r.mode == enforce && !t.Failed() && !t.Skipped() {
		t.Error("order: " + lacking)
	} else {
		t.Log("order: " + lacking)
	}
}

// report says which events came too early, and which did not come.
//
//go:norace
func (r *run) report() (texts []string, outside bool, lacking string) {
	r.lock()
	defer r.unlock()
	for _, e := range r.early {
		texts = append(texts, r.keyText(e.key)+" ("+e.place.String()+") came before its turn: it waits for "+e.lacks)
	}
	var never []string
	for i := range r.order.keys {
		if !r.passed[i].came {
			never = append(never, r.keyText(i))
		}
	}
	if len(never) > 0 {
		lacking = "never came: " + strings.Join(never, ", ") + "; came: " + r.cameText(r.came, r.passed)
	}
	return texts, r.outside, lacking
}

// lacks says what an event waits for.
//
//go:norace
func (r *run) lacks(key int, b *seen) string {
	var lacks []string
	for _, a := range r.order.keys[key].after {
		if !r.holds(a, b) {
			lacks = append(lacks, r.lacking(a, b))
		}
	}
	return strings.Join(lacks, ", and for ")
}

//go:norace
func (r *run) lacking(a *after, b *seen) string {
	switch a.op {
	case all, some:
		var kids []string
		for _, kid := range a.kids {
			if !r.holds(kid, b) {
				kids = append(kids, r.lacking(kid, b))
			}
		}
		if a.op == some {
			return strings.Join(kids, ", or for ")
		}
		return strings.Join(kids, ", and for ")
	case blocked:
		who := "[" + r.keyText(a.key)
		if a.in != "" {
			who += " in " + a.in
		}
		who += "]"
		if p := &r.passed[a.key]; p.came {
			return who + ", but goroutine " + strconv.FormatInt(p.goroutine, 10) + " is not blocked there (" + b.state(p.goroutine) + ")"
		}
		return who + ", but " + r.keyText(a.key) + " has not come"
	}
	return r.keyText(a.key) + ", which has not come"
}

// state says what a goroutine does.
//
//go:norace
func (b *seen) state(id int64) string {
	if b == nil || b.now == nil {
		return "not looked at"
	}
	g := b.now.find(id)
	switch {
	case g == nil:
		return "it has ended"
	case g.does == inOrder:
		return "it waits for an event"
	}
	return g.state
}

//go:norace
func (r *run) keyText(key int) string { return r.order.keys[key].String() }

//go:norace
func (r *run) cameText(came []int, passed []passing) string {
	if len(came) == 0 {
		return "none"
	}
	var texts []string
	for _, key := range came {
		texts = append(texts, r.keyText(key)+" ("+passed[key].place.String()+")")
	}
	return strings.Join(texts, ", ")
}

// String is the file and the line of the innermost call that is not this package's.
//
//go:norace
func (p place) String() string {
	n := 0
	for n < len(p) && p[n] != 0 {
		n++
	}
	if n == 0 {
		return "?"
	}
	for frames := runtime.CallersFrames(p[:n]); ; {
		f, more := frames.Next()
		own := f.Function == here+".At" || f.Function == here+".Go" || strings.HasPrefix(f.Function, here+".Go.") || strings.HasPrefix(f.Function, here+".(*run).")
		if !own && !strings.HasPrefix(f.Function, "runtime.") || !more {
			return filepath.Base(f.File) + ":" + strconv.Itoa(f.Line)
		}
	}
}

// tell is the text of the verdict.
//
//go:norace
func (r *run) tell() string {
	v := r.why
	var b strings.Builder
	if len(v.waits) > 0 {
		fmt.Fprintf(&b, "order: cannot be kept: %s", v.reason)
	} else {
		fmt.Fprintf(&b, "order: deadlock: %s, and no goroutine waits for an event", v.reason)
	}
	if v.reason == noEvent {
		fmt.Fprintf(&b, " (for %v)", r.within)
	}
	for _, w := range v.waits {
		fmt.Fprintf(&b, "\n\t%s (%s) waits for %s", r.keyText(w.key), w.place.String(), w.lacks)
	}
	fmt.Fprintf(&b, "\ncame: %s", r.cameText(v.came, v.passed))
	fmt.Fprintf(&b, "\norder: %s", r.order.text)
	b.WriteString("\ngoroutines:\n")
	for _, g := range v.program.goroutines[1:] {
		if g.does != idles {
			fmt.Fprintf(&b, "goroutine %d [%s]:\n%s\n", g.id, g.state, g.frames)
		}
	}
	return b.String()
}
