package searchindex

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkWorkload reads many long documents with few words: to find the words
// takes most of the time and can be done side by side.
func BenchmarkWorkload(b *testing.B) {
	const documents, readers = 200, 8
	var docs []Document
	for i := range documents {
		docs = append(docs, Document{fmt.Sprint(i), strings.Repeat("all boats float but some sink and some are not ours ", 100)})
	}
	for b.Loop() {
		if x := Build(docs, readers); len(x.Find("boats")) != documents {
			b.Fatalf("%d documents have boats, want %d", len(x.Find("boats")), documents)
		}
	}
}
