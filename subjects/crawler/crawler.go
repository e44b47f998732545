// Package crawler reads a list of pages of a site side by side.
package crawler

import (
	"slices"
	"strings"
	"sync"
)

// A Crawler collects pages and dead links.
type Crawler struct {
	site Site

	mu    sync.Mutex
	pages []Page
	dead  []string
}

// New makes a crawler for a site.
func New(site Site) *Crawler { return &Crawler{site: site} }

// Crawl reads the pages at some paths and returns when all are read.
func (c *Crawler) Crawl(paths ...string) {
	var wg sync.WaitGroup
	for _, path := range paths {
		go func() {
			wg.Add(1)
			defer wg.Done()
			c.visit(path)
		}()
	}
	wg.Wait()
}

// visit reads a page and looks whether there is something behind its links.
func (c *Crawler) visit(path string) {
	page, ok := c.site.read(path)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !ok {
		c.dead = append(c.dead, path)
		return
	}
	c.pages = append(c.pages, page)
	for _, link := range page.Links {
		if _, ok := c.site[link]; !ok {
			c.dead = append(c.dead, link)
		}
	}
}

// Pages are the pages read, by path.
func (c *Crawler) Pages() []Page {
	c.mu.Lock()
	defer c.mu.Unlock()
	pages := slices.Clone(c.pages)
	slices.SortFunc(pages, func(a, b Page) int { return strings.Compare(a.Path, b.Path) })
	return pages
}

// Dead are the links behind which there is nothing, sorted, each once.
func (c *Crawler) Dead() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	dead := slices.Clone(c.dead)
	slices.Sort(dead)
	return slices.Compact(dead)
}
