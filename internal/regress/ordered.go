package regress

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
)

// ordered makes a copy of the test with an order.
func (m *making) ordered(ctx context.Context) (*Test, error) {
	if m.file.Kind == evidence.Timeout {
		return nil, none("go test cannot tell slow from stuck")
	}
	if err := cmp.Or(m.test.prepare(), m.test.place()); err != nil {
		return nil, none("%v", err)
	}
	traces, err := m.explore(ctx)
	if err != nil {
		return nil, err
	}
	var all [][]ordering
	for _, trace := range traces {
		all = append(all, forms(orderings(trace), meetings(trace))...)
	}
	if len(all) == 0 {
		return nil, none("the failure needs no switch between goroutines that the test itself holds")
	}
	least, err := m.reduce(ctx, all)
	if err != nil {
		return nil, err
	}
	t, err := m.stated(least)
	if err != nil {
		return nil, err
	}
	return m.accept(ctx, t)
}

// explore finds executions of a copy with all events that fail as the schedule.
func (m *making) explore(ctx context.Context) (traces [][]sched.Event, err error) {
	var names []string
	for i := range m.test.spots {
		names = append(names, arrival(i), departure(i))
	}
	t, err := m.copy(variant{play: "Expect", orders: fmt.Sprintf("%q", strings.Join(names, " && ")+" -> never")})
	if err != nil {
		return nil, err
	}
	overlay, err := m.files(t)
	if err != nil {
		return nil, err
	}
	m.o.Phase("exploring schedules of a copy of %s", m.file.Test)
	target := m.program.Target
	target.Overlay, target.Run = overlay, "^"+m.test.name+"$"
	program, err := analysis.Load(ctx, m.tool, target)
	if err != nil {
		return nil, none("the copy of the test does not build: %v", err)
	}
	c, err := checker.New(ctx, checker.Config{Tool: m.tool, Program: program, Flags: m.file.Flags})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	b, err := c.Build(ctx, nil)
	if err != nil {
		return nil, none("the copy of the test cannot be checked: %v", err)
	}
	defer b.Close()
	report, err := b.Check(ctx, checker.Search{Budget: m.left() / 3, Seed: m.o.Seed, Explain: true, All: true, Most: 3, Tests: []string{m.test.name}})
	if err != nil {
		return nil, err
	}
	for _, f := range report.Failures {
		if m.wanted.like(f.Failure) {
			traces = append(traces, f.Trace)
		}
	}
	if len(traces) > 0 {
		return traces, nil
	}
	return nil, none("a copy of the test does not fail in the same way under the checker: %s", report)
}

// like reports whether a failure of a copy is the one that is wanted.
func (w wanted) like(f evidence.Failure) bool {
	other := want(f)
	if w.blocks() && other.blocks() { // in a bubble all goroutines that are left are blocked
		return !slices.ContainsFunc(w.places, func(p string) bool { return !slices.Contains(other.places, p) })
	}
	return other.kind == w.kind && slices.Equal(other.places, w.places) && other.text == w.text
}

// within is an option of the order: a deadlock is told soon.
func (m *making) within() string {
	if m.wanted.blocks() {
		return "time.Second"
	}
	return ""
}

func (m *making) imports() []named {
	if m.within() != "" {
		return []named{{"", "time"}}
	}
	return nil
}

// reduce runs a copy with all events under the real scheduler, and returns the orderings that
// it needs to fail, of the first set within which it does.
func (m *making) reduce(ctx context.Context, all [][]ordering) ([]ordering, error) {
	t, err := m.copy(variant{play: "Try", orders: fmt.Sprintf("os.Getenv(%q)", orderVariable), within: m.within(), imports: append(m.imports(), named{"", "os"})})
	if err != nil {
		return nil, err
	}
	m.o.Phase("running a copy of %s within the order of a failing schedule", m.file.Test)
	exe, err := m.build(ctx, t, m.race)
	if err != nil {
		return nil, err
	}
	red := func(list []ordering) (bool, error) {
		if len(list) == 0 {
			return false, nil
		}
		r, err := m.red(ctx, exe, m.test.name, orderVariable+"="+ordersOf(list), few)
		return err == nil && r.Failed == r.Runs, err
	}
	var list []ordering
	for _, form := range all {
		ok, err := red(form)
		if err != nil {
			return nil, err
		}
		if ok {
			list = form
			break
		}
	}
	if list == nil {
		return nil, none("under the real scheduler the copy does not always fail within the order of a failing schedule, %s, or a part of it", ordersOf(all[0]))
	}
	for i := len(list) - 1; i >= 0; i-- {
		fewer := slices.Delete(slices.Clone(list), i, i+1)
		ok, err := red(fewer)
		if err != nil {
			return nil, err
		}
		if ok {
			list = fewer
		}
	}
	return list, nil
}

// mostForms bounds the sets of orderings of an execution. Guessed.
const mostForms = 40

// forms are the sets of orderings that are tried: all of an execution, those that hold no
// goroutine until another one is blocked, each meeting, each ordering, all but one, and two.
func forms(list, meetings []ordering) (all [][]ordering) {
	free := slices.DeleteFunc(slices.Clone(list), func(o ordering) bool { return o.blocked })
	if len(list) > 0 {
		all = append(all, list)
	}
	if len(free) > 0 && len(free) < len(list) {
		all = append(all, free)
	}
	for i := range meetings {
		all = append(all, meetings[i:i+1])
	}
	for i := len(list) - 1; i >= 0 && len(list) > 1; i-- {
		all = append(all, list[i:i+1])
	}
	for i := range list {
		if len(list) > 3 {
			all = append(all, slices.Delete(slices.Clone(list), i, i+1))
		}
	}
	for i := range list {
		for k := range list[:i] {
			if len(list) > 2 {
				all = append(all, []ordering{list[k], list[i]})
			}
		}
	}
	return all[:min(len(all), mostForms)]
}

// stated is the test that states orderings.
func (m *making) stated(list []ordering) (*Test, error) {
	events, names := m.named(list)
	orders := ordersOf(renamed(list, names))
	t, err := m.copy(variant{
		play: "Try", orders: fmt.Sprintf("%q", orders), within: m.within(), imports: m.imports(), events: events, names: names,
	})
	if err != nil {
		return nil, err
	}
	t.Orders = orders
	return t, nil
}

// copy is a copy of the test that failed.
func (m *making) copy(v variant) (*Test, error) {
	t := &Test{Name: m.test.name, Means: Order, File: m.path(), Order: true}
	v.comment = m.what(t)
	if v.bubble = m.file.Kind == evidence.Blocked && m.test.inner == m.test.decl.Body; v.bubble {
		v.clock = m.clock()
	}
	source, err := m.test.source(v)
	if err != nil {
		return nil, none("the copy of the test cannot be read: %v", err)
	}
	t.Source = string(source)
	return t, nil
}

// orderVariable has the order of a copy that is being tried.
const orderVariable = "MENDEL_REGRESS_ORDER"

// named are the events that orderings need, and names for them in the order of the source.
func (m *making) named(list []ordering) (events map[string]bool, names map[string]string) {
	events, names = map[string]bool{}, map[string]string{}
	for _, o := range list {
		events[o.before.name], events[o.after.name] = true, true
	}
	n := 0
	for i := range m.test.spots {
		arrives, departs := events[arrival(i)], events[departure(i)]
		if arrives {
			names[arrival(i)] = "at" + letters(n)
		}
		if departs {
			names[departure(i)] = "go" + letters(n)
		}
		if arrives || departs {
			n++
		}
	}
	return events, names
}

func renamed(list []ordering, names map[string]string) []ordering {
	list = slices.Clone(list)
	for i := range list {
		list[i].before.name, list[i].after.name = names[list[i].before.name], names[list[i].after.name]
	}
	return list
}

func oneLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text
}
