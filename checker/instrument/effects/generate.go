package effects

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An analyser has what is known about the functions of a program.
type analyser struct {
	summaries map[*ssa.Function]*summary
	busy      map[*ssa.Function]bool
	round     int
	narrow    set[int16]            // fields of the type whose methods are written
	done      map[*ssa.Function]int // the round in which a function was analysed
}

// rounds are made so that what recursive functions do is complete. Guessed: a third
// changes nothing in the table.
const rounds = 2

// summaryOf is what a function does, as far as is known; nil if it has no body.
func (a *analyser) summaryOf(fn *ssa.Function) *summary {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if s := seed(fn); s != nil {
		return s
	}
	if fn.Blocks == nil {
		return nil
	}
	if a.done[fn] == a.round || a.busy[fn] {
		return a.summaries[fn]
	}
	a.busy[fn] = true
	s := guarded(a.analyse(fn))
	delete(a.busy, fn)
	a.summaries[fn], a.done[fn] = s, a.round
	return s
}

// guarded replaces what is done to an object under a lock of its own by one
// synchronised access to it.
func guarded(s *summary) *summary {
	locked := map[place]string{} // by root
	for e := range s.effects {
		if rank := strings.Index("lSL", e.what); rank >= 0 && len(e.what) == 1 {
			if root := rootOf(e.place); strings.Index("lSL", locked[root]) <= rank {
				locked[root] = e.what
			}
		}
	}
	if len(locked) == 0 {
		return s
	}
	for e := range s.effects {
		if root := rootOf(e.place); locked[root] != "" && strings.Contains("rwazlSL", e.what) {
			delete(s.effects, e)
		}
	}
	for root, what := range locked {
		s.effects[effect{root, what}] = true
	}
	return s
}

func rootOf(p place) place { return place{parameter: p.parameter, global: p.global, field: all} }

// covered reports whether a package is in the table. Left out are internal ones, what
// the checker replaces, rewrites or knows by itself, and what analyses programs and
// binaries.
func covered(path string) bool {
	if slices.Contains(hidden, path) {
		return true
	}
	if path == "database/sql" || path == "net/rpc" || path == "net/rpc/jsonrpc" {
		return false // package analysis has them as dependencies
	}
	first, _, _ := strings.Cut(path, "/")
	switch first {
	case "internal", "vendor", "runtime", "syscall", "unsafe", "sync", "context", "time", "reflect", "plugin", "go", "debug", "structs", "unique", "weak":
		return false
	}
	return !strings.Contains(path, "/internal") && path != "testing/synctest"
}

// hidden are internal packages whose types a program gets behind interfaces such as
// hash.Hash and cipher.Stream.
var hidden = []string{"crypto/internal/fips140/aes", "crypto/internal/fips140/sha256", "crypto/internal/fips140/sha512", "crypto/internal/fips140/sha3", "crypto/internal/fips140/hmac"}

// writePackage writes the lines of a package: its functions, and its types' methods. Of one
// without lines there is the path, which says that it was analysed.
func (a *analyser) writePackage(b *strings.Builder, pkg *ssa.Package) {
	var lines []string
	add := func(name string, fn *ssa.Function) {
		text := a.line(name, fn)
		if pkg.Pkg.Path() == "testing" { // the driver stands for the rest
			text = shownOnly(text)
		}
		if text != "" {
			lines = append(lines, name+text)
		}
	}
	for _, name := range slices.Sorted(keys(pkg.Members)) {
		switch m := pkg.Members[name].(type) {
		case *ssa.Function:
			if m.Object() != nil && m.Object().Exported() {
				add(name, m)
			}
		case *ssa.Type:
			named, ok := m.Type().(*types.Named)
			if !ok || types.IsInterface(named) {
				continue
			}
			a.narrow = a.narrowOf(pkg, named)
			for method := range named.Methods() {
				if fn := pkg.Prog.FuncValue(method); fn != nil && method.Exported() {
					add(name+"."+method.Name(), fn)
				}
			}
			a.narrow = nil
		}
	}
	fmt.Fprintf(b, "%s\n", pkg.Pkg.Path())
	for _, l := range lines {
		fmt.Fprintf(b, "\t%s\n", l)
	}
}

// shownOnly are the words about what is printed.
func shownOnly(words string) string {
	text := ""
	for w := range strings.FieldsSeq(words) {
		if strings.HasSuffix(w, "F") {
			text += " " + w
		}
	}
	return text
}

func keys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// line is what the table says of a function, "" for nothing.
func (a *analyser) line(name string, fn *ssa.Function) string {
	if text, ok := known[fn.Pkg.Pkg.Path()+"."+name]; ok {
		return text
	}
	s := a.summaryOf(fn)
	if s == nil {
		return ""
	}
	text := ""
	for i, p := range fn.Params {
		narrow := a.narrow
		if i > 0 {
			narrow = nil
		}
		text += parameterEffects(i, p, s, narrow)
	}
	var states []string
	for e := range s.effects {
		switch {
		case e.what[0] == '$':
			states = append(states, " "+e.what)
		case e.global != nil && len(e.what) == 1 && strings.Contains("lSL", e.what):
			if state := observable[e.global.Pkg.Pkg.Path()+"."+e.global.Name()]; state != "" {
				states = append(states, " $"+state+":"+e.what)
			}
		}
	}
	slices.Sort(states)
	for _, w := range slices.Compact(states) { // a write is a read, too
		stem := w[:len(w)-1]
		if w == stem+"L" || !slices.Contains(states, stem+"L") && (w == stem+"S" || !slices.Contains(states, stem+"S")) {
			text += w
		}
	}
	return text
}

// parameterEffects are the words about one parameter. Its narrow fields are told apart.
func parameterEffects(i int, p *ssa.Parameter, s *summary, narrow set[int16]) string {
	fields := map[string]set[int16]{}
	var words []string
	for e := range s.effects {
		if e.general() || e.parameter != i {
			continue
		}
		switch {
		case e.what[0] == 'm' && e.followed == 0 && types.IsInterface(p.Type()), deep(e.what), e.what == "c" && e.followed == 0:
			words = append(words, e.what)
		case e.what[0] == 'm' && e.followed == 1 && e.way[0] != all && !buffered(p.Type()):
			words = append(words, fmt.Sprintf(">%d%s", e.way[0], e.what))
		case e.what[0] == 'K' && e.followed == 0:
			words = append(words, e.what)
		case e.what[0] == 'K' && e.followed == 1 && e.way[0] != all:
			words = append(words, fmt.Sprintf(">%d%s", e.way[0], e.what))
		case e.followed == 1 && e.way[0] != all && (e.what == "r" || e.what == "w") && holds(p.Type(), int(e.way[0]), e.what):
			if e.what == "w" || !s.effects[effect{e.place, "w"}] {
				words = append(words, fmt.Sprintf(">%d%s", e.way[0], e.what))
			}
		case e.followed == 0 && strings.Contains("rwazlSL", e.what) && !isString(p.Type()) && !hasMethods(p.Type()):
			if fields[e.what] == nil {
				fields[e.what] = set[int16]{}
			}
			fields[e.what][e.field] = true
		}
	}
	if slices.Contains(words, "W") {
		words = slices.DeleteFunc(words, func(w string) bool { return w != "W" && w[0] != '>' })
		fields = nil
	} else if slices.Contains(words, "F") && (slices.Contains(words, "R") || fields["w"] != nil || !mayShow(p.Type())) {
		words = slices.DeleteFunc(words, func(w string) bool { return w == "F" }) // an error's text
	}
	for what, of := range fields {
		if what == "z" {
			if exportsFields(p.Type()) || len(fields["w"]) == 0 {
				words = append(words, prepared(of, fields["w"])...)
			}
			continue
		}
		if what == "r" && (fields["w"][all] || !exportsFields(p.Type()) && len(fields["w"]) > 0) {
			continue
		}
		if what == "r" || what == "w" {
			word, enough := narrowed(what, of, narrow, len(fields["w"]) > 0)
			if word != "" {
				words = append(words, word)
			}
			if enough {
				continue
			}
		}
		words = append(words, what+fieldList(p.Type(), of))
	}
	slices.Sort(words)
	text := ""
	for _, w := range slices.Compact(words) {
		text += fmt.Sprintf(" %d%s", i, w)
	}
	return text
}

// prepared are the words about fields that are written if they are zero, and not in
// other cases anyway.
func prepared(of, written set[int16]) []string {
	rest := set[int16]{}
	for f := range of {
		if f != all && !written[f] && !written[all] {
			rest[f] = true
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return []string{"z" + list(rest)}
}

// hasMethods reports whether a type is an interface with methods. What a function does
// to memory behind one itself, without a method, it does only if it finds a type of its
// own there.
func hasMethods(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() > 0
}

// mayShow reports whether a value of a type can lead to memory that is shared.
func mayShow(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return !ok || b.Kind() == types.UnsafePointer
}

// fieldList names the fields of an object that are concerned, "" for all: only where
// a program can get at others itself.
func fieldList(t types.Type, of set[int16]) string {
	if of[all] || !exportsFields(t) {
		return ""
	}
	return list(of)
}

// list is a list of fields: "1.2".
func list(fields set[int16]) string {
	text, sep := "", ""
	for _, f := range slices.Sorted(keys(fields)) {
		text += fmt.Sprintf("%s%d", sep, f)
		sep = "."
	}
	return text
}

func exportsFields(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Exported() {
			return true
		}
	}
	return false
}

// buffered reports whether a type passes on only now and then what it is given.
func buffered(t types.Type) bool {
	return strings.HasPrefix(strings.TrimPrefix(t.String(), "*"), "bufio.")
}

// holds reports whether a field of what a type points to has what the table tells of:
// a map; a pointer to an object of the standard library that has no exported fields, such
// as a bufio.Writer; or, if it is read, a slice that a program can get at. (What is written
// to a slice may be another element for each goroutine.)
func holds(t types.Type, field int, what string) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || field >= st.NumFields() {
		return false
	}
	switch u := st.Field(field).Type().Underlying().(type) {
	case *types.Map:
		return true
	case *types.Slice:
		return what == "r" && st.Field(field).Exported() && !strings.HasPrefix(strings.TrimPrefix(t.String(), "*"), "image.")
	case *types.Pointer:
		_, named := types.Unalias(u.Elem()).(*types.Named)
		return named && isStruct(u.Elem()) && !exportsFields(u)
	}
	return false
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}
