package lockatomics_test

import (
	"os"
	"path/filepath"
	"testing"

	"mendel/mutate"
	"mendel/mutate/addlock"
	"mendel/mutate/atomicrmw"
	"mendel/mutate/internal/mutatetest"
	"mendel/mutate/lockatomics"
)

// One operation does for sequence, and needs no lock; price has no such operation.
const values = `package p

import "sync/atomic"

type sequence struct{ last atomic.Int64 }

func (s *sequence) next() int64 {
	n := s.last.Load()
	s.last.Store(n + 1)
	return n
}

type price struct{ bid, ask atomic.Int64 }

func (p *price) set(bid, ask int64) {
	p.bid.Store(bid)
	p.ask.Store(ask)
}

func (p *price) spread() int64 { return p.ask.Load() - p.bid.Load() }
`

func TestOneOperationComesFirst(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": values} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	heat := func(operators ...*mutate.Operator) map[string]float64 {
		space, err := mutate.NewSpace(p, n, operators)
		if err != nil {
			t.Fatal(err)
		}
		hottest := map[string]float64{}
		for _, e := range space.Edits() {
			key := e.Operator + " " + e.Func
			hottest[key] = max(hottest[key], e.Worth())
		}
		return hottest
	}
	with := heat(atomicrmw.Operator, lockatomics.Operator, addlock.Operator)
	without := heat(lockatomics.Operator, addlock.Operator)
	const sequence, price = "lockatomics (*sequence).next", "lockatomics (*price).set"
	if with[sequence] > with["atomicrmw (*sequence).next"] || with[sequence] >= without[sequence] {
		t.Errorf("sequence: heat %v with one operation, %v without it, %v of that operation", with[sequence], without[sequence], with["atomicrmw (*sequence).next"])
	}
	if with[price] == 0 || with[price] != without[price] {
		t.Errorf("price: heat %v and %v", with[price], without[price])
	}
}
