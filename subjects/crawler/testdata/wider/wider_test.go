package crawler

import (
	"fmt"
	"sync"
	"testing"
)

// When Crawl returns, all pages are read and all that is missing is found, with
// many paths, with paths behind which there is nothing, and with two calls at
// once. It fails if Wait can come before an Add, or if a path without a page is
// never counted as done.
func TestWiderCrawl(t *testing.T) {
	site := Site{}
	var paths []string
	for i := range 12 {
		path := fmt.Sprintf("/%d", i)
		paths = append(paths, path, fmt.Sprintf("/gone/%d", i))
		site[path] = "some words\n-> /\n-> /nowhere\n"
	}
	site["/"] = "home\n"
	for range 50 {
		c := New(site)
		c.Crawl() // nothing
		var wg sync.WaitGroup
		for i := range 2 {
			half := paths[i*len(paths)/2 : (i+1)*len(paths)/2]
			wg.Go(func() {
				c.Crawl(half...)
				if got := len(c.Pages()); got < len(half)/2 {
					t.Errorf("%d pages after a crawl of %d", got, len(half)/2)
				}
			})
		}
		wg.Wait()
		if got := len(c.Pages()); got != 12 {
			t.Fatalf("%d pages, want 12", got)
		}
		if got := c.Dead(); len(got) != 13 {
			t.Fatalf("dead are %q, want 12 and /nowhere", got)
		}
	}
}
