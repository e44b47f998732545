package order

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An order is what a notation says. Keys are the events that it names, in the order in
// which it names them first.
type order struct {
	text string
	keys []key
}

// A key is the n-th passing of an event.
type key struct {
	name   string
	n      int
	offset int      // where the order names it first
	after  []*after // all of them must hold before it comes
}

func (k *key) String() string {
	if k.n == 1 {
		return k.name
	}
	return k.name + "#" + strconv.Itoa(k.n)
}

// An after is what stands before an arrow.
type after struct {
	op     op
	key    int      // event and blocked: the event's place in order.keys
	in     string   // blocked: the function, as normalFunction writes it; "" is any
	kids   []*after // all and some
	offset int
}

type op int

const (
	event op = iota
	blocked
	all
	some
)

// A syntaxError says what is wrong with a notation, and where.
type syntaxError struct {
	text    string
	offset  int
	message string
}

func (e *syntaxError) Error() string {
	before := e.text[:e.offset]
	line := strings.Count(before, "\n") + 1
	before = before[strings.LastIndex(before, "\n")+1:]
	column := utf8.RuneCountInString(before) + 1
	where := fmt.Sprintf("column %d", column)
	if strings.Contains(e.text, "\n") {
		where = fmt.Sprintf("line %d, %s", line, where)
	}
	shown := strings.Split(e.text, "\n")[line-1]
	// The mark stands below its column whatever the width of tabs.
	blank := strings.Map(func(c rune) rune {
		if c == '\t' {
			return c
		}
		return ' '
	}, before)
	return fmt.Sprintf("%s: %s\n\t%s\n\t%s^", where, e.message, shown, blank)
}

// parse reads a notation.
func parse(text string) (*order, error) {
	p := &parser{order: &order{text: text}}
	if err := p.orders(); err != nil {
		return nil, err
	}
	if err := circle(p.order); err != nil {
		return nil, err
	}
	return p.order, nil
}

// A parser goes from the left to the right, by recursive descent. Its methods stand
// before the first character of what they read, and end before the next token.
type parser struct {
	*order
	offset int
	depth  int
}

// deepest is how many parentheses may be open.
const deepest = 100

func (p *parser) errorf(offset int, format string, args ...interface{}) error {
	return &syntaxError{p.text, offset, fmt.Sprintf(format, args...)}
}

func (p *parser) space() {
	for p.offset < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.offset]) >= 0 {
		p.offset++
	}
}

// take goes past a token, if it stands there.
func (p *parser) take(token string) bool {
	if !strings.HasPrefix(p.text[p.offset:], token) {
		return false
	}
	p.offset += len(token)
	p.space()
	return true
}

// found describes what stands there, for errors.
func (p *parser) found() string {
	if p.offset >= len(p.text) {
		return "the end"
	}
	c, _ := utf8.DecodeRuneInString(p.text[p.offset:])
	return fmt.Sprintf("%q", c)
}

func (p *parser) orders() error {
	p.space()
	for {
		if err := p.ordering(); err != nil {
			return err
		}
		if comma := p.take(","); p.offset == len(p.text) {
			return nil
		} else if !comma {
			return p.errorf(p.offset, "want -> or a comma, found %s", p.found())
		}
	}
}

// ordering reads a chain of arrows.
func (p *parser) ordering() error {
	before, err := p.some()
	if err != nil {
		return err
	}
	if !p.take("->") {
		return p.errorf(p.offset, "want ->, found %s", p.found())
	}
	for {
		next, err := p.some()
		if err != nil {
			return err
		}
		if err := p.follow(before, next); err != nil {
			return err
		}
		before = next
		if !p.take("->") {
			return nil
		}
	}
}

// follow puts events behind a condition.
func (p *parser) follow(before, next *after) error {
	switch next.op {
	case event:
		k := &p.keys[next.key]
		k.after = append(k.after, before)
		return nil
	case all:
		for _, kid := range next.kids {
			if err := p.follow(before, kid); err != nil {
				return err
			}
		}
		return nil
	case blocked:
		return p.errorf(next.offset, "a block can stand only before the first arrow")
	}
	return p.errorf(next.offset, "|| can stand only before the first arrow")
}

func (p *parser) some() (*after, error) { return p.list("||", some, (*parser).all) }

func (p *parser) all() (*after, error) { return p.list("&&", all, (*parser).single) }

// list reads one or more conditions with an operator between them.
func (p *parser) list(operator string, o op, item func(*parser) (*after, error)) (*after, error) {
	offset := p.offset
	first, err := item(p)
	if err != nil {
		return nil, err
	}
	kids := []*after{first}
	for p.take(operator) {
		next, err := item(p)
		if err != nil {
			return nil, err
		}
		kids = append(kids, next)
	}
	if len(kids) == 1 {
		return first, nil
	}
	return &after{op: o, kids: kids, offset: offset}, nil
}

func (p *parser) single() (*after, error) {
	offset := p.offset
	switch {
	case p.take("("):
		if p.depth++; p.depth > deepest {
			return nil, p.errorf(offset, "more than %d parentheses are open", deepest)
		}
		inner, err := p.some()
		if err != nil {
			return nil, err
		}
		if !p.take(")") {
			return nil, p.errorf(p.offset, "want ) for the ( in column %d, found %s",
				utf8.RuneCountInString(p.text[strings.LastIndex(p.text[:offset], "\n")+1:offset])+1, p.found())
		}
		p.depth--
		return inner, nil
	case p.take("["):
		return p.block(offset)
	}
	k, err := p.event()
	return &after{op: event, key: k, offset: offset}, err
}

// block reads what stands behind an opening bracket.
func (p *parser) block(offset int) (*after, error) {
	k, err := p.event()
	if err != nil {
		return nil, err
	}
	b := &after{op: blocked, key: k, offset: offset}
	if start := p.offset; strings.HasPrefix(p.text[start:], "in") && p.word() == "in" {
		p.space()
		start = p.offset
		for p.offset < len(p.text) && strings.IndexByte("],", p.text[p.offset]) < 0 {
			p.offset++
		}
		name := strings.TrimSpace(p.text[start:p.offset])
		if b.in = normalFunction(name); b.in == "" || strings.IndexFunc(name, foreign) >= 0 {
			return nil, p.errorf(start, "want the name of a function, such as Pool.Get, found %q", name)
		}
	} else {
		p.offset = start
	}
	if !p.take("]") {
		return nil, p.errorf(p.offset, "want ], found %s", p.found())
	}
	return b, nil
}

// foreign reports whether names of functions do not have a character.
func foreign(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_./-()*", c)
}

// word goes past letters, digits and underscores.
func (p *parser) word() string {
	start := p.offset
	for p.offset < len(p.text) {
		c, size := utf8.DecodeRuneInString(p.text[p.offset:])
		if c != '_' && !unicode.IsLetter(c) && (p.offset == start || !unicode.IsDigit(c)) {
			break
		}
		p.offset += size
	}
	return p.text[start:p.offset]
}

// event reads the name of an event, and which passing of it is meant. It returns the
// place of its key.
func (p *parser) event() (int, error) {
	start := p.offset
	for {
		if p.word() == "" {
			return 0, p.errorf(p.offset, "want the name of an event, found %s", p.found())
		}
		if p.offset == len(p.text) || strings.IndexByte(".@", p.text[p.offset]) < 0 {
			break
		}
		p.offset++
	}
	name, n := p.text[start:p.offset], 1
	if p.offset < len(p.text) && p.text[p.offset] == '#' {
		p.offset++
		digits := p.offset
		for n = 0; p.offset < len(p.text) && '0' <= p.text[p.offset] && p.text[p.offset] <= '9'; p.offset++ {
			if n <= 1e6 {
				n = 10*n + int(p.text[p.offset]-'0')
			}
		}
		if n < 1 || n > 1e6 {
			return 0, p.errorf(digits, "want a number from 1 to 1000000 after #")
		}
	}
	p.space()
	for i := range p.keys {
		if p.keys[i].name == name && p.keys[i].n == n {
			return i, nil
		}
	}
	p.keys = append(p.keys, key{name: name, n: n, offset: start})
	return len(p.keys) - 1, nil
}

// normalFunction writes the name of a function without type arguments, and its
// receiver without star and parentheses.
func normalFunction(name string) string {
	for {
		open := strings.IndexByte(name, '[')
		if open < 0 {
			break
		}
		end := strings.LastIndexByte(name, ']')
		if end < open {
			break
		}
		name = name[:open] + name[end+1:]
	}
	return strings.Map(func(c rune) rune {
		if c == '(' || c == '*' || c == ')' {
			return -1
		}
		return c
	}, name)
}

// circle says which events wait for each other, if some do, so that they can
// never come.
func circle(o *order) error {
	possible := make([]bool, len(o.keys))
	for changed := true; changed; {
		changed = false
		for i := range o.keys {
			if _, waits := o.hindrance(i, possible); !possible[i] && !waits {
				possible[i], changed = true, true
			}
		}
	}
	for i := range o.keys {
		if possible[i] {
			continue
		}
		// Each waits for another one that is impossible, so that this comes to a known one.
		var path []int
		for at := i; ; at, _ = o.hindrance(at, possible) {
			for j := range path {
				if path[j] == at {
					return o.circleError(path[j:])
				}
			}
			path = append(path, at)
		}
	}
	return nil
}

// hindrance finds an event that is not known to be possible, and which another
// one waits for.
func (o *order) hindrance(i int, possible []bool) (int, bool) {
	k := &o.keys[i]
	for j := range o.keys {
		if earlier := &o.keys[j]; earlier.name == k.name && earlier.n < k.n && !possible[j] {
			return j, true
		}
	}
	for _, a := range k.after {
		if j, waits := a.hindrance(possible); waits {
			return j, true
		}
	}
	return 0, false
}

func (a *after) hindrance(possible []bool) (first int, waits bool) {
	switch a.op {
	case all:
		for _, kid := range a.kids {
			if first, waits = kid.hindrance(possible); waits {
				return first, true
			}
		}
		return 0, false
	case some:
		for i := len(a.kids) - 1; i >= 0; i-- {
			if first, waits = a.kids[i].hindrance(possible); !waits {
				return 0, false
			}
		}
		return first, true
	}
	return a.key, !possible[a.key]
}

func (o *order) circleError(path []int) error {
	first := path[0]
	for _, i := range path {
		if o.keys[i].offset < o.keys[first].offset {
			first = i
		}
	}
	var waits []string
	for j, i := range path {
		waits = append(waits, fmt.Sprintf("%s waits for %s", &o.keys[i], &o.keys[path[(j+1)%len(path)]]))
	}
	return &syntaxError{o.text, o.keys[first].offset, "a circle: " + strings.Join(waits, ", ")}
}
