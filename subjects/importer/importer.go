// Package importer reads files of a shop's stock side by side.
package importer

import (
	"fmt"
	"strings"
	"sync"
)

// An Importer adds up what the files say.
type Importer struct {
	mu    sync.Mutex
	stock map[string]int
	errs  []error
}

// New makes an importer with no stock.
func New() *Importer { return &Importer{stock: make(map[string]int)} }

// Import reads files, given by name and content, and waits for all of them. A
// file with a malformed line is refused as a whole.
func (im *Importer) Import(files map[string]string) {
	var wg sync.WaitGroup
	for name, content := range files {
		wg.Add(1)
		go im.read(name, content, &wg)
	}
	wg.Wait()
}

// read imports one file.
func (im *Importer) read(name, content string, wg *sync.WaitGroup) {
	var records []Record
	for line := range strings.Lines(content) {
		r, err := parse(strings.TrimSpace(line))
		if err != nil {
			im.fail(fmt.Errorf("%s: %w", name, err))
			return
		}
		records = append(records, r)
	}
	im.add(records)
	wg.Done()
}

func (im *Importer) add(records []Record) {
	im.mu.Lock()
	defer im.mu.Unlock()
	for _, r := range records {
		im.stock[r.Article] += r.Stock
	}
}

func (im *Importer) fail(err error) {
	im.mu.Lock()
	defer im.mu.Unlock()
	im.errs = append(im.errs, err)
}

// Stock is how many of an article there are.
func (im *Importer) Stock(article string) int {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.stock[article]
}

// Errs are the files refused.
func (im *Importer) Errs() []error {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.errs
}
