package validate

import (
	"context"
	"errors"
	"testing"

	"mendel/analysis"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/mutate"
	"mendel/mutate/selectdefault"
	"mendel/mutate/selectdone"
	"mendel/validate/rules"
)

// feedSource blocks at the send when the reader leaves first. No test looks at
// what was read.
const feedSource = `
-- go.mod --
module example.com/feed

go 1.25
-- feed.go --
package feed

import "context"

type Feed struct{ out chan struct{} }

func (f *Feed) Publish(ctx context.Context) {
	f.out <- struct{}{}
}

func (f *Feed) Read(ctx context.Context) bool {
	select {
	case <-f.out:
		return true
	case <-ctx.Done():
		return false
	}
}
-- feed_test.go --
package feed

import (
	"context"
	"testing"
)

func TestFeed(t *testing.T) {
	f := &Feed{make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	go f.Publish(ctx)
	go cancel()
	f.Read(ctx)
}
`

// builder is a checker that builds what it is to check.
type builder struct{ *checker.Checker }

func (b builder) Check(ctx context.Context, files map[string][]byte, s checker.Search) (*checker.Report, error) {
	binary, err := b.Build(ctx, files)
	if err != nil {
		return nil, err
	}
	defer binary.Close()
	return binary.Check(ctx, s)
}

// A real program with two edits under which nothing blocks any more: one tries
// the send and drops what nobody is waiting for, the other gives up with the
// reader. Schedules in which the original delivers tell them apart.
func TestDroppedMessageEndToEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	ctx := t.Context()
	tool, p := loadReal(t, feedSource, "")
	n := analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return true })
	space, err := mutate.NewSpace(p, n, []*mutate.Operator{selectdefault.Operator, selectdone.Operator})
	if err != nil {
		t.Fatal(err)
	}
	c, err := checker.New(ctx, checker.Config{Tool: tool, Program: p})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	search := fitness.CheckerOptions{Seed: 1}.Search()
	search.Deliver = 50
	original, err := builder{c}.Check(ctx, nil, search)
	if err != nil {
		t.Fatal(err)
	}
	if original.Verdict != explore.Failed || len(original.Delivered) == 0 {
		t.Fatalf("the original: %v, %d schedules with messages", original, len(original.Delivered))
	}
	harness, err := noise.New(noise.Config{Tool: tool, Program: p, Narrowing: n, NoRace: tool.RaceErr != nil})
	if err != nil {
		t.Fatal(err)
	}
	defer harness.Close()
	v := New(Options{
		Space: space, Runner: Harness(harness), Program: p, Narrowing: n, Checker: builder{c}, Original: original,
		Seed: 1, Runs: 20, CostPairs: 3, OptimizeSteps: -1, Processors: 1, Log: t.Logf,
	})
	outcomes := map[string]error{}
	for _, e := range space.Edits() {
		if e.Func != "(*Feed).Publish" {
			continue
		}
		m, err := space.Mutant(ctx, []mutate.Edit{e})
		if err != nil {
			t.Fatal(err)
		}
		_, err = v.Validate(ctx, m, fitness.Result{Verdict: explore.Passed})
		if known, ok := outcomes[e.Operator]; !ok || known != nil {
			outcomes[e.Operator] = err // the best of an operator's edits
		}
	}
	if err, tried := outcomes["selectdone"]; !tried || err != nil {
		t.Errorf("the send that gives up with the reader: tried %t, %v", tried, err)
	}
	var r *Rejected
	if !errors.As(outcomes["selectdefault"], &r) || r.Breach == nil || r.Breach.Rule != rules.DroppedMessage || r.Stage != StageCheck {
		t.Errorf("the send that drops: %v", outcomes["selectdefault"])
	} else {
		t.Log(r.Reason)
	}
}
