package analysis

import (
	"go/types"
	"path/filepath"
	"slices"
	"testing"

	"mendel/analysis/evidence"
)

const numbered = `
-- go.mod --
module example.com/cron

go 1.24
-- cron.go --
package cron

type Cron struct {
	running bool
	nextID  int
	shown   int
	name    string
	limit   int
}

func New() *Cron {
	c := &Cron{}
	c.nextID = 1
	return c
}

func (c *Cron) Schedule() int {
	c.nextID++
	if c.running && c.limit > 0 {
		return 0
	}
	return c.nextID
}

func (c *Cron) Stop() { c.running = false }

func (c *Cron) Show() int {
	if c.running {
		c.shown++
	}
	return c.shown
}

func (c *Cron) Shown() int { return c.shown }

func (c *Cron) Copy(to *Cron) {
	if c.running {
		to.name = "copy"
	}
}
`

// A field that is changed beside the named one, and used nowhere else, is kept.
// The others are used elsewhere too, or of another value, or never changed.
func TestAssociate(t *testing.T) {
	p := loadText(t, numbered)
	n := narrow(t, p)
	if added := n.Associate(); added > 0 {
		t.Errorf("%d findings without evidence", added)
	}
	at := func(fn string, line int) evidence.Stack {
		return evidence.Stack{Role: "write", Frames: []evidence.Frame{{Func: "example.com/cron." + fn, File: filepath.Join(p.Module, "cron.go"), Line: line}}}
	}
	n.Merge(Dynamic, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{at("(*Cron).Stop", 25), at("(*Cron).Schedule", 19)}})
	n.Associate()
	var names []string
	_, _, vars := n.Findings()
	for _, v := range vars {
		names = append(names, v.Name)
	}
	if want := []string{"Cron.running", "Cron.nextID"}; !slices.Equal(names, want) {
		t.Errorf("variables %v, want %v", names, want)
	}
}

const device = `
-- go.mod --
module example.com/device

go 1.24
-- device.go --
package device

import "sync"

type Device struct {
	mu    sync.Mutex
	name  string
	rate  int
	scale int
	model string
	seen  int
	other sync.Mutex
	state int
}

func New(model string) *Device { return &Device{model: model} }

func (d *Device) Rename(name string) {
	d.mu.Lock()
	d.name = name
	d.mu.Unlock()
}

func (d *Device) Tune(rate, scale int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rate, d.scale = rate, scale
}

func (d *Device) Set(state int) {
	d.other.Lock()
	d.state = state
	d.other.Unlock()
}

func (d *Device) See() { d.seen++ }

func (d *Device) Label() (string, int) {
	if d.seen > 0 && d.state > 0 {
		return d.model, 0
	}
	name := d.name
	return name, d.rate
}

func (d *Device) Scale() int { return d.scale }
`

// A field that is always changed with the lock of the named one, and is read without it
// beside that one, is kept. The others are never changed, or without a lock or with
// another one, or not used beside the named one.
func TestAssociateByLock(t *testing.T) {
	p := loadText(t, device)
	n := narrow(t, p)
	at := func(role, fn string, line int) evidence.Stack {
		return evidence.Stack{Role: role, Frames: []evidence.Frame{{Func: "example.com/device." + fn, File: filepath.Join(p.Module, "device.go"), Line: line}}}
	}
	n.Merge(Dynamic, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{at("write", "(*Device).Rename", 20), at("read", "(*Device).Label", 42)}})
	n.Associate()
	var names []string
	_, _, vars := n.Findings()
	for _, v := range vars {
		names = append(names, v.Name)
	}
	if want := []string{"Device.name", "Device.rate"}; !slices.Equal(names, want) {
		t.Errorf("variables %v, want %v", names, want)
	}
}

const reporter = `
-- go.mod --
module example.com/reporter

go 1.24
-- reporter.go --
package reporter

import "sync/atomic"

type Reporter struct {
	steps, bytes, failed int64
	name                 string
}

func New(name string) *Reporter { return &Reporter{name: name} }

func (r *Reporter) Step(n int64) {
	atomic.AddInt64(&r.steps, 1)
	atomic.AddInt64(&r.bytes, n)
	atomic.AddInt64(&r.failed, 1)
}

func (r *Reporter) Snapshot() (string, int64, int64, int64) {
	return r.name, r.steps, r.bytes, atomic.LoadInt64(&r.failed)
}
`

func TestAssociatePlainUses(t *testing.T) {
	p := loadText(t, reporter)
	n := narrow(t, p)
	at := func(role, fn string, line int) evidence.Stack {
		return evidence.Stack{Role: role, Frames: []evidence.Frame{{Func: "example.com/reporter." + fn, File: filepath.Join(p.Module, "reporter.go"), Line: line}}}
	}
	n.Merge(Dynamic, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{at("write", "(*Reporter).Step", 13), at("read", "(*Reporter).Snapshot", 19)}})
	n.Associate()
	var names []string
	_, _, vars := n.Findings()
	for _, v := range vars {
		names = append(names, v.Name)
	}
	if want := []string{"Reporter.steps", "Reporter.bytes"}; !slices.Equal(names, want) {
		t.Errorf("variables %v, want %v", names, want)
	}
}

const handedOn = `
-- go.mod --
module example.com/list

go 1.24
-- list.go --
package list

func Run(n int) int {
	all := make([]int, n)
	done := make(chan bool)
	go func() {
		all[0] = 1
		close(done)
	}()
	return sum(all)
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}
`

// A race about memory that has another name in each of its places is about both.
func TestRacesOfWhatIsHandedOn(t *testing.T) {
	p := loadText(t, handedOn)
	n := narrow(t, p)
	at := func(role, fn string, line int) evidence.Stack {
		return evidence.Stack{Role: role, Frames: []evidence.Frame{{Func: "example.com/list." + fn, File: filepath.Join(p.Module, "list.go"), Line: line}}}
	}
	n.Merge(Dynamic, evidence.Failure{Kind: evidence.Race, Stacks: []evidence.Stack{at("write", "Run.func1", 7), at("read", "sum", 14)}})
	races := map[string]bool{}
	_, _, vars := n.Findings()
	for _, v := range vars {
		races[v.Name], _ = n.Races(v.Object.(*types.Var))
	}
	if !races["Run.all"] || !races["sum.list"] {
		t.Errorf("races %v, want those about all and list", races)
	}
}
