package searchindex

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

// Documents are added and looked for by several at a time; some have no words. It
// fails if Add enters words under another lock than Find reads them, or if the lock
// is only in the goroutines of Build.
func TestWiderAdd(t *testing.T) {
	const writers, each = 3, 20
	x := New()
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				x.Add(Document{fmt.Sprintf("empty %d-%d", w, i), "..."})
				x.Add(Document{fmt.Sprintf("%d-%02d", w, i), "common words " + string(rune('a'+w))})
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			for range each {
				if n := len(x.Find("common")); n > writers*each || len(x.Find("absent")) != 0 || x.Documents() < n {
					t.Errorf("%d documents have a word of %d", n, x.Documents())
				}
			}
		})
	}
	wg.Wait()
	if n := x.Documents(); n != 2*writers*each {
		t.Errorf("%d documents, want %d", n, 2*writers*each)
	}
	if got := x.Find("words"); len(got) != writers*each || len(slices.Compact(got)) != writers*each {
		t.Errorf("%d documents have the word, want %d", len(got), writers*each)
	}
	for w := range writers {
		if n := len(x.Find(string(rune('a' + w)))); n != each {
			t.Errorf("writer %d has %d documents, want %d", w, n, each)
		}
	}
}

// More readers than documents, and none at all.
func TestWiderBuild(t *testing.T) {
	if n := Build([]Document{{"one", "word"}}, 4).Documents(); n != 1 {
		t.Errorf("%d documents, want 1", n)
	}
	if n := Build(nil, 2).Documents(); n != 0 {
		t.Errorf("%d documents, want none", n)
	}
}
