package searchindex

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A Document has a name and a text.
type Document struct {
	Name, Text string
}

// words lists the words of a document in lower case, each once.
func (d Document) words() []string {
	words := strings.FieldsFunc(strings.ToLower(d.Text), func(r rune) bool {
		return !unicode.IsLetter(r)
	})
	slices.Sort(words)
	return slices.Compact(words)
}

// Build makes the index of some documents with several readers at once.
func Build(docs []Document, readers int) *Index {
	x := New()
	var wg sync.WaitGroup
	for r := range readers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := r; i < len(docs); i += readers {
				x.Add(docs[i])
			}
		}()
	}
	wg.Wait()
	return x
}
