package validate

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/validate/sections"
)

func TestQuality(t *testing.T) {
	w := loadBank(t)
	line := 1 + strings.Count(strings.Split(string(w.program.File("bank.go").Source), "notices <-")[0], "\n")
	send := []string{fmt.Sprintf("bank.go:%d: channel send", line)}
	notify := func(text string, n int) mutate.Edit { return w.edit(t, "guard", "(*Account).Notify", text, n) }
	waiting := w.edit(t, "guard", "(*Account).Await", "idle", 1)
	newLock := notify("amount", 1)
	newLock.Lock = &analysis.Lock{Expr: "a.mu", Key: "k", New: &analysis.NewLock{Kind: "field", Name: "mu"}}
	for _, test := range []struct {
		name  string
		edits []mutate.Edit
		want  Quality
	}{
		{"one statement", []mutate.Edit{notify("amount", 1)}, Quality{LongestSection: 1}},
		{"a send inside", []mutate.Edit{notify("amount", 3)}, Quality{LongestSection: 3, Blocking: send, blocks: true}},
		{"a send at the end", []mutate.Edit{notify("amount", 2)}, Quality{LongestSection: 2, Blocking: send, blocks: true}},
		{"two sections beside the send", []mutate.Edit{notify("amount", 1), notify("last", 1)}, Quality{LongestSection: 1}},
		{"the longest of two", []mutate.Edit{notify("amount", 1), w.edit(t, "guard", "(*Account).Twice", "amount", 3)}, Quality{LongestSection: 3}},
		// Its own lock is given up while it waits, a second one is not.
		{"a wait under a second lock", []mutate.Edit{waiting}, Quality{
			LongestSection: 1, Blocking: []string{fmt.Sprintf("bank.go:%d: sync.Cond.Wait", waiting.Line)}, blocks: true,
		}},
		{"shortened", []mutate.Edit{w.edit(t, "open", "(*Account).Balance", "trace", 0)}, Quality{}},
		{"lengthened", []mutate.Edit{w.edit(t, "open", "(*Account).Balance", "Unlock", 0)}, Quality{LongestSection: 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := qualityOf(sections.New(w.program, w.narrowing, w.model), w.mutant(t, test.edits...))
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, error %v; want %+v", got, err, test.want)
			}
		})
	}
	m := w.mutant(t, notify("amount", 1))
	m.Edits = []mutate.Edit{newLock}
	if got, err := qualityOf(sections.New(w.program, w.narrowing, w.model), m); err != nil || got.NewLocks != 1 {
		t.Errorf("%+v, error %v; want a new lock", got, err)
	}
}

func TestFixHasQuality(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	if fix := validate(t, w.validator(t, &fakeRunner{fail: unlockedDeposit}, nil), m); fix.Quality.LongestSection != 1 {
		t.Errorf("quality %+v", fix.Quality)
	}
}

func TestNewLockCountsOnce(t *testing.T) {
	lock := func(key string, offset int) mutate.Edit {
		return mutate.Edit{Lock: &analysis.Lock{Key: key, New: &analysis.NewLock{Kind: "field", Name: "mu", Offset: offset}}}
	}
	edits := []mutate.Edit{lock("p.Meter.mu", 40), lock("p.Meter.mu", 60), lock("p.Gauge.mu", 90), {}}
	if got := newLocks(edits); len(got) != 2 {
		t.Errorf("%d new locks, want 2", len(got))
	}
}
