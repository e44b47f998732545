package deferdone

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/signalearly"
)

// Where a goroutine waits for a group, the deferred call of Done is tried before
// one in front of each early return, whatever the group is called at the wait.
func TestHeat(t *testing.T) {
	for name, text := range map[string]string{"captured": captured, "parameter": parameter, "field": field, "passed": passed} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "in.go": text} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			p, n := mutatetest.Load(t, dir, nil, []string{"*"})
			waits := 1 + strings.Count(text[:strings.Index(text, "wg.Wait()")], "\n")
			n.Merge(analysis.Dynamic, evidence.Failure{Kind: evidence.Blocked, Stacks: []evidence.Stack{{
				Role:   "blocked: sync.WaitGroup.Wait",
				Frames: []evidence.Frame{{File: filepath.Join(dir, "in.go"), Line: waits}},
			}}})
			space, err := mutate.NewSpace(p, n, []*mutate.Operator{signalearly.Operator, Operator})
			if err != nil {
				t.Fatal(err)
			}
			value := make(map[string]float64) // of the best edit
			for _, e := range space.Edits() {
				prior := space.Operator(e.Operator).Prior[evidence.Blocked]
				value[e.Operator] = max(value[e.Operator], e.Worth()*prior)
			}
			deferred, each := value["deferdone"], value["signalearly"]
			if each == 0 {
				t.Fatal("no edit signals before the return")
			}
			if deferred <= each {
				t.Errorf("heat times prior is %v for the deferred call, %v for one before a return", deferred, each)
			}
		})
	}
}

const captured = `package p

import "sync"

func run(n int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if n == 0 {
			return
		}
		println(n)
		wg.Done()
	}()
	wg.Wait()
}
`

const parameter = `package p

import "sync"

func run(n int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go work(&wg, n)
	wg.Wait()
}

func work(group *sync.WaitGroup, n int) {
	if n == 0 {
		return
	}
	println(n)
	group.Done()
}
`

const field = `package p

import "sync"

type pool struct{ wg sync.WaitGroup }

func run(n int) {
	var p pool
	p.wg.Add(1)
	go p.work(n)
	p.wg.Wait()
}

func (p *pool) work(n int) {
	if n == 0 {
		return
	}
	println(n)
	p.wg.Done()
}
`

const passed = `package p

import "sync"

func run(n int) {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		if n == 0 {
			return
		}
		println(n)
		group.Done()
	}()
	end(&group)
}

func end(wg *sync.WaitGroup) { wg.Wait() }
`
