package crawler

import (
	"slices"
	"testing"
)

var site = Site{
	"/":      "Welcome to us.\n-> /about\n-> /jobs\n",
	"/about": "We are two.\n-> /\n",
}

func TestCrawl(t *testing.T) {
	c := New(site)
	c.Crawl("/", "/about")
	var paths []string
	for _, p := range c.Pages() {
		paths = append(paths, p.Path)
	}
	if !slices.Equal(paths, []string{"/", "/about"}) {
		t.Errorf("read are %q", paths)
	}
	if got := c.Dead(); !slices.Equal(got, []string{"/jobs"}) {
		t.Errorf("dead are %q, want /jobs", got)
	}
}

func TestRead(t *testing.T) {
	p, ok := site.read("/")
	if !ok || p.Words != 3 || len(p.Links) != 2 {
		t.Errorf("the page is %+v, %v", p, ok)
	}
	if _, ok := site.read("/jobs"); ok {
		t.Error("there is no such page")
	}
}
