// Package searchindex finds documents by the words in them. Documents are read
// by several goroutines.
package searchindex

import (
	"slices"
	"sync"
)

// An Index knows which documents have a word. It may be used by several goroutines.
type Index struct {
	mu       sync.Mutex
	names    []string         // of documents, by number
	postings map[string][]int // numbers of the documents with a word
}

// New makes an empty index.
func New() *Index {
	return &Index{postings: make(map[string][]int)}
}

// Add adds a document.
func (x *Index) Add(d Document) {
	words := d.words()
	id := x.register(d.Name)
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, w := range words {
		x.postings[w] = append(x.postings[w], id)
	}
}

// register numbers a document.
func (x *Index) register(name string) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.names = append(x.names, name)
	return len(x.names) - 1
}

// Find lists the names of the documents with a word, sorted.
func (x *Index) Find(word string) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var names []string
	for _, id := range x.postings[word] {
		names = append(names, x.names[id])
	}
	slices.Sort(names)
	return names
}

// Documents is how many there are.
func (x *Index) Documents() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.names)
}
