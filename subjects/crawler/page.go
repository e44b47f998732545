package crawler

import "strings"

// A Site is pages by path. A line that begins with "-> " is a link.
type Site map[string]string

// A Page is what was found at a path.
type Page struct {
	Path  string
	Words int
	Links []string
}

// read takes a page of the site apart; ok is false if there is none.
func (s Site) read(path string) (p Page, ok bool) {
	text, ok := s[path]
	if !ok {
		return p, false
	}
	p.Path = path
	for line := range strings.Lines(text) {
		if link, ok := strings.CutPrefix(strings.TrimSpace(line), "-> "); ok {
			p.Links = append(p.Links, link)
			continue
		}
		p.Words += len(strings.Fields(line))
	}
	return p, true
}
