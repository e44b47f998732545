package starts_test

import (
	"testing"

	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/mutatetest"
)

const starting = `package starting

import "sync"

type job struct{ wg sync.WaitGroup }

func (j *job) work(n *int) { *n++ }

func run(j *job, n *int) {
	go j.work(n)
	j.wg.Go(func() { *n++ })
	j.work(n)
	defer j.work(n)
	func() { go j.work(n) }()
}
`

func TestStarts(t *testing.T) {
	functions := mutatetest.Functions(t, map[string]string{"in.go": starting})
	run, work := functions["run"], functions["(*job).work"]
	found := starts.Of(run)
	if len(found) != 2 || found[0].To != work || found[0].Go == nil || found[1].To != functions["run.func1"] || found[1].Lit == nil || found[1].Go != nil {
		t.Fatalf("run starts %+v, want the method by go and the first literal by the wait group", found)
	}
	by := starts.By(work)
	if len(by) != 2 || by[0] != run || by[1] != functions["run.func2"] {
		t.Errorf("work is started by %v, want run and its second literal", by)
	}
	if sites := starts.Sites(work); len(sites) != 2 || sites[0].Deferred() || !sites[1].Deferred() || sites[0].Fn != run {
		t.Errorf("the calls of work are %+v, want one and one that is deferred", sites)
	}
}

// What the goroutine calls a variable is named as its starter does.
func TestName(t *testing.T) {
	functions := mutatetest.Functions(t, map[string]string{"in.go": starting})
	run, work := functions["run"], functions["(*job).work"]
	n := work.Path(work.Type.Params.List[0].Names[0])
	if got := starts.Of(run)[0].Name(n); got != run.Path(run.Type.Params.List[1].Names[0]) {
		t.Errorf("n of work is %s in run, want n", got)
	}
}
