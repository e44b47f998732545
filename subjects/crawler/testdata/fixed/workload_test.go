package crawler

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkWorkload reads a site of long pages; taking them apart needs no lock.
func BenchmarkWorkload(b *testing.B) {
	const pages, lines = 40, 300
	big, paths := Site{}, make([]string, 0, pages)
	for i := range pages {
		path := fmt.Sprint("/", i)
		paths = append(paths, path)
		big[path] = strings.Repeat("some words on a line\n", lines) + fmt.Sprint("-> /", i+1, "\n")
	}
	for b.Loop() {
		c := New(big)
		c.Crawl(paths...)
		if got := len(c.Pages()); got != pages || len(c.Dead()) != 1 {
			b.Fatalf("%d pages and %d dead links, want %d and one", got, len(c.Dead()), pages)
		}
	}
}
