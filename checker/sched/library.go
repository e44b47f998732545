package sched

import (
	"iter"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"mendel/checker/sched/effects"
)

// Calls of the standard library in rewritten programs. Its functions are not rewritten.
// What they do to memory and to state that the process shares is told before the call,
// in the words of package effects. Operands of a call have these functions around
// them, which return them as they are.

// Uses tells what the call does to an operand. It is the last operand that is
// evaluated, or nothing that others could notice is evaluated after it.
func Uses[T any](words string, v T) T {
	if g := current(); g != nil {
		g.use(words, reflect.ValueOf(&v).Elem())
	}
	return v
}

// ReadElements is Uses of a slice whose elements are read.
func ReadElements[S ~[]E, E any](s S) S {
	elements(Read, s)
	return s
}

// WriteElements is Uses of a slice whose elements are written.
func WriteElements[S ~[]E, E any](s S) S {
	elements(Write, s)
	return s
}

// ReadObject is Uses of an object of the library that is read. Its fields are its own,
// so that its first word stands for all of it.
func ReadObject[T any](p *T) *T {
	if p != nil {
		Read(unsafe.Pointer(p), min(unsafe.Sizeof(*p), firstWord))
	}
	return p
}

// WriteObject is ReadObject of one that is written.
func WriteObject[T any](p *T) *T {
	if p != nil {
		Write(unsafe.Pointer(p), min(unsafe.Sizeof(*p), firstWord))
	}
	return p
}

const firstWord = 8

// Keep is Uses of an operand after which others are evaluated that may take time: it is
// told by Then.
func Keep[T any](words string, v T) T {
	if g := current(); g != nil {
		g.kept = append(g.kept, operand{words, reflect.ValueOf(&v).Elem()})
	}
	return v
}

// Then is the last operand of a call with n operands that were kept. What is a
// scheduling point comes first.
func Then[T any](n int, words string, v T) T {
	g := current()
	if g == nil {
		return v
	}
	from := max(len(g.kept)-n, 0)
	all := append(g.kept[from:len(g.kept):len(g.kept)], operand{words, reflect.ValueOf(&v).Elem()})
	g.kept = g.kept[:from]
	g.tell(all)
	return v
}

// UsesArray, KeepArray and ThenArray are Uses, Keep and Then of a pointer to an array. The
// compiler (Go 1.26) fails where a function that it inlines slices the array behind a
// result whose type is a parameter: "bad ptr to array in slice".
func UsesArray[T any](words string, p *T) *T { return Uses(words, p) }

// KeepArray is described with UsesArray.
func KeepArray[T any](words string, p *T) *T { return Keep(words, p) }

// ThenArray is described with UsesArray.
func ThenArray[T any](n int, words string, p *T) *T { return Then(n, words, p) }

// tell tells what a call does to its operands, scheduling points first. What is done to
// an object with a lock comes before the lock is released.
func (g *goroutine) tell(all []operand) {
	if !g.scheduled() {
		return
	}
	var met []*guard
	for _, o := range all {
		met = g.points(o.words, o.v, met)
	}
	for _, o := range all {
		g.accesses(o.words, o.v, 0)
	}
	for _, s := range met {
		if s.holder != g {
			Release(&s.object)
		}
	}
}

// At is a function of which no operand has to be evaluated.
func At[F any](words string, f F) F {
	if g := current(); g != nil {
		g.tell([]operand{{words, reflect.Value{}}})
	}
	return f
}

// Dyn is the receiver of a method that is called through an interface. If its type is
// one of the library, the call does what the table says.
func Dyn[T any](method string, v T) T {
	g := current()
	if g == nil {
		return v
	}
	d := reflect.ValueOf(v)
	if words := g.x.wordsOf(d, method); words != "" {
		g.use(effects.Param(words, 0)+" "+effects.State(words), d)
	}
	return v
}

// Func is a function of the library that is used as a value.
func Func[F any](words string, f F) F {
	v := reflect.ValueOf(f)
	if !v.IsValid() || v.Kind() != reflect.Func || v.IsNil() {
		return f
	}
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value {
		if g := current(); g != nil {
			g.useAll(words, args)
		}
		if v.Type().IsVariadic() {
			return v.CallSlice(args)
		}
		return v.Call(args)
	}).Interface().(F)
}

// Method is a method value of the library, with the receiver that it is bound to.
func Method[F any](words string, receiver any, f F) F {
	v, r := reflect.ValueOf(f), reflect.ValueOf(receiver)
	if v.IsNil() {
		return f
	}
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value {
		if g := current(); g != nil {
			g.useAll(words, append([]reflect.Value{r}, args...))
		}
		if v.Type().IsVariadic() {
			return v.CallSlice(args)
		}
		return v.Call(args)
	}).Interface().(F)
}

// An operand of a call and what the call does to it.
type operand struct {
	words string
	v     reflect.Value
}

// use tells what is done to one operand.
func (g *goroutine) use(words string, v reflect.Value) { g.tell([]operand{{words, v}}) }

// useAll tells what a function does to its operands.
func (g *goroutine) useAll(words string, args []reflect.Value) {
	all := []operand{{effects.State(words), reflect.Value{}}}
	for i, v := range args {
		all = append(all, operand{effects.Param(words, i), v})
	}
	g.tell(all)
}

// dynamic is what an operand is, or holds if it is an interface.
func dynamic(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// accesses makes the reads and writes among words.
func (g *goroutine) accesses(words string, v reflect.Value, depth int) {
	if !v.IsValid() || !g.scheduled() || g.alone() && len(g.x.options.Watch) == 0 {
		return
	}
	for w := range strings.FieldsSeq(words) {
		switch w[0] {
		case 'r', 'w', 'a':
			accessTo(w, v)
		case 'z':
			prepared(w[1:], v)
		case 'e':
			ofEach(v)
		case 'R', 'D', 'F':
			walk := walk{kind: w[0]}
			walk.operand(v)
			if walk.cut {
				g.unwatched("a value that the library reads is too large to be followed")
			}
		case 'W':
			decoded(v)
		case 'm':
			g.dispatch(w[1:], v, depth)
		case 'K':
			g.held(w[1:], v, depth)
		case '>':
			g.behind(w[1:], v, depth)
		}
	}
}

// dispatch is the call of a method by the library. One under control tells itself what it
// does.
func (g *goroutine) dispatch(method string, v reflect.Value, depth int) {
	v = dynamic(v)
	if depth > 4 {
		return
	}
	if words := g.x.wordsOf(v, method); words != "" {
		g.accesses(effects.Param(words, 0), v, depth+1)
	} else if e := embedded(v); e.IsValid() {
		g.dispatch(method, e, depth+1)
	}
}

// embedded is what an object of the library embeds as its first field, as that of
// sort.Reverse does: methods may be that one's.
func embedded(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct || !standard(v.Type().Elem()) {
		return reflect.Value{}
	}
	if t := v.Type().Elem(); t.NumField() == 0 || !t.Field(0).Anonymous {
		return reflect.Value{}
	}
	f := v.Elem().Field(0)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// behind is what is done to what a field has.
func (g *goroutine) behind(words string, v reflect.Value, depth int) {
	n := 0
	for len(words) > 0 && words[0] >= '0' && words[0] <= '9' {
		n, words = n*10+int(words[0]-'0'), words[1:]
	}
	v = dynamic(v)
	if v.Kind() == reflect.Struct && n < v.NumField() && v.Field(n).Kind() == reflect.Pointer {
		g.accesses(words, v.Field(n), depth)
		return
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct || n >= v.Elem().NumField() {
		return
	}
	f := v.Elem().Field(n)
	g.accesses(words, reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem(), depth)
}

// wordsOf are the words about a method of a type of the standard library, "" for any
// other.
func wordsOf(v reflect.Value, method string) string {
	if !v.IsValid() {
		return ""
	}
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() == "" || t.Name() == "" {
		return ""
	}
	return effects.Of(t.PkgPath(), t.Name()+"."+method)
}

// A methodOf is a method of a type, by name.
type methodOf struct {
	t    reflect.Type
	name string
}

// wordsOf is wordsOf, kept: the same few methods are called again and again.
func (x *execution) wordsOf(v reflect.Value, method string) string {
	if !v.IsValid() {
		return ""
	}
	key := methodOf{v.Type(), method}
	words, ok := x.words[key]
	if !ok {
		words = wordsOf(v, method)
		x.words[key] = words
	}
	return words
}

// accessTo is an access to what an operand points to: all of it, or the fields that are
// listed.
func accessTo(word string, v reflect.Value) {
	do := Read
	if word[0] != 'r' {
		do = Write
	}
	if v.Kind() == reflect.Interface && ofProgram(v.Elem()) {
		return // the library cannot know its type
	}
	switch v = dynamic(v); v.Kind() {
	case reflect.Slice:
		size := v.Type().Elem().Size()
		n := uintptr(v.Len())
		if word[0] == 'a' && size > 0 && v.Len() < v.Cap() {
			do(v.Slice(0, v.Len()+1).Index(v.Len()).Addr().UnsafePointer(), size)
			return
		} else if word[0] == 'a' {
			do = Read // they are copied to a larger one
		}
		if first, ok := strings.CutPrefix(word[1:], "["); ok {
			if count, err := strconv.Atoi(first); err == nil {
				n = min(n, uintptr(count))
			}
		}
		if n*size > 0 {
			do(v.UnsafePointer(), n*size)
		}
	case reflect.Map:
		if !v.IsNil() && word[0] == 'r' {
			readMap(v.UnsafePointer())
		} else if !v.IsNil() {
			writeMap(v.UnsafePointer())
		}
	case reflect.Struct:
		if v, ok := v.Interface().(reflect.Value); ok && v.CanAddr() && v.Type().Size() > 0 {
			do(v.Addr().UnsafePointer(), v.Type().Size())
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if word[1:] != "" {
			fields(do, word[1:], v)
		} else if size := sizeOf(v.Type().Elem()); size > 0 {
			do(v.UnsafePointer(), size)
		}
	}
}

// ofProgram reports whether a value is a pointer to a type that the library does not
// declare.
func ofProgram(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer && v.Type().Elem().PkgPath() != "" && !standard(v.Type().Elem())
}

// prepared writes the listed fields of an object that are zero, and reads the others.
func prepared(list string, v reflect.Value) {
	v = dynamic(v)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	for n := range numbers(list) {
		switch name := strconv.Itoa(n); {
		case n >= v.Elem().NumField():
		case v.Elem().Field(n).IsZero():
			fields(Write, name, v)
		case !opaque(v.Type().Elem()):
			fields(Read, name, v)
		}
	}
}

// numbers are those of a list: "1.2".
func numbers(list string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for s := range strings.SplitSeq(list, ".") {
			n, err := strconv.Atoi(s)
			if err == nil && !yield(n) {
				return
			}
		}
	}
}

func fields(do func(unsafe.Pointer, uintptr), list string, v reflect.Value) {
	t := v.Type().Elem()
	if t.Kind() != reflect.Struct {
		return
	}
	for n := range numbers(list) {
		if n >= t.NumField() {
			continue
		}
		from, size := t.Field(n).Offset, t.Field(n).Type.Size()
		if from == 0 && size > firstWord && opaque(t) {
			from, size = firstWord, size-firstWord // its first word stands for the object
		}
		if size > 0 {
			do(unsafe.Add(v.UnsafePointer(), from), size)
		}
	}
}

// sizeOf is how much of a value stands for it: of an object of the library without
// exported fields, its first word.
func sizeOf(t reflect.Type) uintptr {
	if t.Kind() == reflect.Struct && opaque(t) {
		return min(t.Size(), firstWord)
	}
	return t.Size()
}

// opaque reports whether a struct type has no exported fields and is the library's.
func opaque(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return false
		}
	}
	return standard(t)
}

// standard reports whether a type is declared in the standard library: the first element
// of its package's path has no dot, as that of the program's may have. The runtime's
// own packages do not count, nor does the program under test.
func standard(t reflect.Type) bool {
	return t.PkgPath() != "" && (effects.Package(t.PkgPath()) || t.PkgPath() == "time" || t.PkgPath() == "reflect")
}

// unwatched notes a reason why not all accesses of the execution were seen.
func (g *goroutine) unwatched(why string) {
	if g.x.result.Unwatched == "" {
		g.x.result.Unwatched = why
	}
}

// ofEach reads the elements of each slice of a list, or of one of them.
func ofEach(v reflect.Value) {
	v = dynamic(v)
	if v.Kind() != reflect.Slice {
		return
	}
	accessTo("r", v)
	if v.Type().Elem().Kind() == reflect.Slice {
		for i := range v.Len() {
			accessTo("r", v.Index(i))
		}
	}
}
