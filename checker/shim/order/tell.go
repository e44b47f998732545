package order

import (
	"strings"
	"testing"

	"mendel/checker/driver"
)

// judge reports what came too early, and what did not come.
func (r *run) judge(t *testing.T) {
	t.Helper()
	for _, e := range r.early {
		text := r.order.keys[e.key].String() + " (" + e.place + ") came before its turn: it waits for " + e.lacks
		if r.mode == expect {
			driver.Of(t).Error("order: " + text)
		} else {
			driver.Of(t).Log("order: nothing else could go on, so " + text)
		}
	}
	if r.outside {
		driver.Of(t).Error("order: an event was passed in another bubble of testing/synctest than the order was begun in; begin it in that bubble")
	}
	if lacking := r.never(); lacking != "" && r.mode == enforce && !t.Failed() && !t.Skipped() {
		driver.Of(t).Error("order: " + lacking)
	}
}

// never says which events never came; "" if all did.
func (r *run) never() string {
	var never, came []string
	for i := range r.order.keys {
		if !r.passed[i].came {
			never = append(never, r.order.keys[i].String())
		}
	}
	for _, key := range r.came {
		came = append(came, r.order.keys[key].String())
	}
	if len(never) == 0 {
		return ""
	}
	if came == nil {
		came = []string{"none"}
	}
	return "never came: " + strings.Join(never, ", ") + "; came: " + strings.Join(came, ", ")
}

// lacks says what an event waits for.
func (r *run) lacks(key int) string {
	if key < 0 {
		return "nothing"
	}
	var lacks []string
	for _, a := range r.order.keys[key].after {
		if !r.holds(a) {
			lacks = append(lacks, r.lacking(a))
		}
	}
	return strings.Join(lacks, ", and for ")
}

func (r *run) lacking(a *after) string {
	switch a.op {
	case all, some:
		var kids []string
		for _, kid := range a.kids {
			if !r.holds(kid) {
				kids = append(kids, r.lacking(kid))
			}
		}
		if a.op == some {
			return strings.Join(kids, ", or for ")
		}
		return strings.Join(kids, ", and for ")
	case blocked:
		who := "[" + r.order.keys[a.key].String()
		if a.in != "" {
			who += " in " + a.in
		}
		who += "]"
		if p := &r.passed[a.key]; p.came {
			return who + ", but goroutine " + p.who.Name() + " is not blocked there (" + p.who.State() + ")"
		}
		return who + ", but " + r.order.keys[a.key].String() + " has not come"
	}
	return r.order.keys[a.key].String() + ", which has not come"
}
