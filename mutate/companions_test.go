package mutate_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/internal/mutatetest"
)

// A field that is changed where the guarded one is only asked needs the lock too,
// if any goroutine may come there. What one goroutine has for itself does not,
// nor what no function changes that uses the guarded one.
const scheduler = `
-- go.mod --
module example.com/p

go 1.25
-- cron.go --
package cron

type Cron struct {
	running bool
	nextID  int
	rounds  int
	name    string
	add     chan int
}

func (c *Cron) Schedule() int {
	c.nextID++
	if c.running {
		c.add <- c.nextID
	}
	return c.nextID
}

func (c *Cron) Start() {
	c.running = true
	go c.run()
}

func (c *Cron) run() {
	for c.running {
		c.rounds++
		<-c.add
	}
}

func (c *Cron) Rename(name string) { c.name = name }

func (c *Cron) Stop() { c.running = false }
`

func TestCompanions(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(scheduler)).Files {
		writeFile(t, filepath.Join(dir, f.Name), f.Data)
	}
	fields := "Cron.running Cron.nextID Cron.rounds Cron.name"
	p, n := mutatetest.Load(t, dir, strings.Fields(fields), []string{"*"})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator})
	if err != nil {
		t.Fatal(err)
	}
	g, err := space.Guarding([]mutate.Edit{pick(t, space, "(*Cron).Stop method c.mu 0")})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range g.Companions("example.com/p.Cron.mu", variables(n, "Cron.running")...) {
		names = append(names, g.Name(v))
	}
	if want := []string{"Cron.nextID"}; !slices.Equal(names, want) {
		t.Errorf("companions %v, want %v", names, want)
	}
}

// A field that the lock guards elsewhere, and that one function changes without it, needs
// it there; what another lock guards has its lock.
const feed = `
-- go.mod --
module example.com/p

go 1.25
-- feed.go --
package feed

import "sync"

type Feed struct {
	mu    sync.Mutex
	other sync.Mutex
	bytes int
	drops int
	marks int
}

func (f *Feed) Push(line string) {
	f.bytes += len(line)
	if line == "" {
		f.drops++
		f.marks++
	}
}

func (f *Feed) Size() (int, int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bytes, f.drops
}

func (f *Feed) Marks() int {
	f.other.Lock()
	defer f.other.Unlock()
	return f.marks
}
`

func TestCompanionsOfTheLock(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(feed)).Files {
		writeFile(t, filepath.Join(dir, f.Name), f.Data)
	}
	p, n := mutatetest.Load(t, dir, strings.Fields("Feed.bytes Feed.drops Feed.marks"), []string{"*"})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator})
	if err != nil {
		t.Fatal(err)
	}
	g, err := space.Guarding([]mutate.Edit{pick(t, space, "(*Feed).Push statement f.mu 1")})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range g.Companions("example.com/p.Feed.mu", variables(n, "Feed.bytes")...) {
		names = append(names, g.Name(v))
	}
	if want := []string{"Feed.drops"}; !slices.Equal(names, want) {
		t.Errorf("companions %v, want %v", names, want)
	}
}

// A field that is changed with the lock everywhere, and read without it beside the guarded
// one, needs it there; not one that is changed without it, or never.
const device = `
-- go.mod --
module example.com/p

go 1.25
-- device.go --
package device

import "sync"

type Device struct {
	mu    sync.Mutex
	name  string
	rate  int
	model string
	seen  int
}

func (d *Device) Tune(name string, rate int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.name, d.rate = name, rate
}

func (d *Device) See() { d.seen++ }

func (d *Device) Label() (string, int, string, int) {
	return d.name, d.rate, d.model, d.seen
}
`

func TestCompanionsChangedUnderTheLock(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(device)).Files {
		writeFile(t, filepath.Join(dir, f.Name), f.Data)
	}
	p, n := mutatetest.Load(t, dir, strings.Fields("Device.name Device.rate Device.model Device.seen"), []string{"*"})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator})
	if err != nil {
		t.Fatal(err)
	}
	g, err := space.Guarding([]mutate.Edit{pick(t, space, "(*Device).Label method d.mu 0")})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range g.Companions("example.com/p.Device.mu", variables(n, "Device.name")...) {
		names = append(names, g.Name(v))
	}
	if want := []string{"Device.rate"}; !slices.Equal(names, want) {
		t.Errorf("companions %v, want %v", names, want)
	}
}

const fetch = `
-- go.mod --
module example.com/p

go 1.25
-- fetch.go --
package p

import (
	"context"
	"errors"
	"sync"
)

func waitsForAll(names []string) (int, error) {
	var wg sync.WaitGroup
	found, failed := 0, error(nil)
	for range names {
		wg.Go(func() {
			found++
			failed = errors.New("none")
		})
	}
	wg.Wait()
	return found, failed
}

func givesUp(ctx context.Context, names []string) (int, error) {
	var wg sync.WaitGroup
	found, failed := 0, error(nil)
	for range names {
		wg.Go(func() {
			found++
			failed = errors.New("none")
		})
	}
	ready := make(chan struct{})
	go func() { wg.Wait(); close(ready) }()
	select {
	case <-ready:
	case <-ctx.Done():
	}
	return found, failed
}
`

// Who has waited for the goroutines that it started is alone with its variables; who may
// have given up waiting is not.
func TestGapsOfLocals(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(fetch)).Files {
		writeFile(t, filepath.Join(dir, f.Name), f.Data)
	}
	for fn, want := range map[string][]string{
		"waitsForAll": nil,
		"givesUp":     {"givesUp.failed is read without mu@24:2 in givesUp (fetch.go:37)"},
	} {
		p, n := mutatetest.Load(t, dir, []string{fn + ".found", fn + ".failed"}, []string{"*"})
		space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator})
		if err != nil {
			t.Fatal(err)
		}
		edits := slices.DeleteFunc(slices.Clone(space.Edits()), func(e mutate.Edit) bool {
			return e.Func != fn+".func1" || e.Lock == nil || e.Count != 2
		})
		if len(edits) == 0 {
			t.Fatalf("%s: no edit puts both variables under a lock", fn)
		}
		g, err := space.Guarding(edits[:1])
		if err != nil {
			t.Fatal(err)
		}
		var gaps []string
		for _, gap := range g.Gaps(edits[0].Lock.Key, variables(n, fn+".failed")...) {
			gaps = append(gaps, gap.String())
		}
		if !slices.Equal(gaps, want) {
			t.Errorf("%s: gaps %q, want %q", fn, gaps, want)
		}
	}
}

const game = `
-- go.mod --
module example.com/p

go 1.25
-- game.go --
package p

import "sync"

type Player struct{ strokes int }

func (p *Player) Strokes() int { return p.strokes }

type Game struct {
	mu     sync.Mutex
	player Player
}

func (g *Game) Play() { g.player.strokes++ }

func (g *Game) Score() int { return g.player.strokes }
`

// A method of what a lock's owner holds has nothing by which it could name the lock.
func TestGapsApart(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(game)).Files {
		writeFile(t, filepath.Join(dir, f.Name), f.Data)
	}
	p, n := mutatetest.Load(t, dir, []string{"Player.strokes"}, []string{"*"})
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{addlock.Operator})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(space.Edits(), func(e mutate.Edit) bool { return e.Func == "(*Game).Play" && e.Lock.Key == "example.com/p.Game.mu" })
	if at < 0 {
		t.Fatal("no edit locks Play")
	}
	g, err := space.Guarding(space.Edits()[at : at+1])
	if err != nil {
		t.Fatal(err)
	}
	apart := make(map[string]bool)
	for _, gap := range g.Gaps("example.com/p.Game.mu", variables(n, "Player.strokes")...) {
		apart[gap.Func] = gap.Apart
	}
	if want := map[string]bool{"(*Player).Strokes": true, "(*Game).Score": false}; !maps.Equal(apart, want) {
		t.Errorf("apart %v, want %v", apart, want)
	}
}
