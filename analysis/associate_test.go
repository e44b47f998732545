package analysis

import (
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
