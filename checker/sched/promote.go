package sched

import (
	"fmt"
	"strconv"
	"strings"
)

// A KnownRace is a data race that ends no execution, so that what lies behind it is
// seen. Its accesses are promoted to scheduling points: as in Musuvathi et al.,
// Finding and Reproducing Heisenbugs in Concurrent Programs (CHESS, OSDI 2008),
// section 3.2, the order of accesses is explored only where they race. They make no
// happens-before edge: what races behind them is reported. A read and a write of one
// statement are two steps only before the statement, which is then done at once.
type KnownRace [2]Line

// A Line is a line of a source file.
type Line struct {
	File string
	Line int
}

// FormatRaces returns "a.go:12, b.go:3", for several with semicolons between them,
// which ParseRaces reads.
func FormatRaces(races []KnownRace) string {
	var texts []string
	for _, r := range races {
		texts = append(texts, r[0].text()+", "+r[1].text())
	}
	return strings.Join(texts, "; ")
}

func (l Line) text() string { return l.File + ":" + strconv.Itoa(l.Line) }

// ParseRaces reads what FormatRaces returns. An error names the part that it
// cannot read.
func ParseRaces(text string) ([]KnownRace, error) {
	if text == "" {
		return nil, nil
	}
	var races []KnownRace
	for part := range strings.SplitSeq(text, "; ") {
		first, second, _ := strings.Cut(part, ", ")
		a, okA := parseLine(first)
		b, okB := parseLine(second)
		if !okA || !okB {
			return nil, fmt.Errorf("race %q: want FILE:LINE, FILE:LINE", part)
		}
		races = append(races, KnownRace{a, b})
	}
	return races, nil
}

func parseLine(text string) (l Line, ok bool) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 {
		return l, false
	}
	n, err := strconv.Atoi(text[colon+1:])
	l = Line{text[:colon], n}
	return l, err == nil && text == l.text()
}

// KnownRace is the race of a traced failure, as Options.Races wants it; false if it is
// none, or one of an atomic operation or of an unknown place.
func (f *Failure) KnownRace() (r KnownRace, ok bool) {
	if f.Kind != Race || len(f.Places) != 2 {
		return r, false
	}
	for i, p := range f.Places {
		if p.File == "" || strings.HasPrefix(p.What, "atomic ") {
			return r, false
		}
		r[i] = Line{p.File, p.Line}
	}
	if r[0].text() > r[1].text() {
		r[0], r[1] = r[1], r[0]
	}
	return r, true
}

// A promotion knows the accesses that are scheduling points. A site is one of them,
// from 1.
type promotion struct {
	sites   map[Line]uint8
	objects []Object // by site
	group   []uint8  // by site: the one whose object it uses
	races   map[[2]uint8]bool
	at      position // scratch
}

// maxSites bounds the sites; further races end executions as ever.
const maxSites = 255

func newPromotion(races []KnownRace) *promotion {
	if len(races) == 0 {
		return nil
	}
	p := &promotion{sites: map[Line]uint8{}, group: []uint8{0}, races: map[[2]uint8]bool{}}
	for _, r := range races {
		if len(p.sites)+len(r) > maxSites {
			break
		}
		a, b := p.site(r[0]), p.site(r[1])
		p.races[[2]uint8{a, b}], p.races[[2]uint8{b, a}] = true, true
		from, to := p.group[a], p.group[b]
		for s, g := range p.group {
			if g == from {
				p.group[s] = to
			}
		}
	}
	p.objects = make([]Object, len(p.group))
	return p
}

func (p *promotion) site(l Line) uint8 {
	s, ok := p.sites[l]
	if !ok {
		s = uint8(len(p.group))
		p.sites[l], p.group = s, append(p.group, s)
	}
	return s
}

// promote makes the access that g is about to do a scheduling point, if it is one of
// a known race, and returns its site; 0: it is not. The accesses of races that have
// one in common are operations on one object, whatever memory they touch: so
// reduction takes too many of them as dependent, and none too few.
func (g *goroutine) promote(write bool) uint8 {
	p := g.x.memory.promotion
	if p == nil {
		return 0
	}
	var place Place
	p.at = where(1, shallow, p.at)
	place.locate(p.at)
	site := p.sites[Line{place.File, place.Line}]
	if site != 0 {
		g.do(&Op{Kind: KindAccess, Obj: &p.objects[p.group[site]], Read: !write, What: Mode{Write: write}.verb()})
		g.x.memory.accesses++ // others may have made some meanwhile
	}
	return site
}

// expected reports whether a race of accesses at two sites is a known one.
func (p *promotion) expected(a, b uint8) bool { return p != nil && p.races[[2]uint8{a, b}] }
