package sched

import (
	"reflect"
	"strings"
	"unsafe"
)

// Reflection on channels: the same operations, with types that are known at run
// time only.

// A ValueOf stands for a reflect.Value, whose methods for channels are those of the
// engine: v.Send becomes OfValue(v).Send.
type ValueOf struct{ real reflect.Value }

// OfValue returns what stands for v.
func OfValue(v reflect.Value) ValueOf { return ValueOf{v} }

// channel returns the calling goroutine, if v is a channel that may be used in a
// direction. Otherwise the real method does what it should, mostly panic.
func (v ValueOf) channel(dir reflect.ChanDir) *goroutine {
	if !v.real.IsValid() || v.real.Kind() != reflect.Chan || v.real.Type().ChanDir()&dir == 0 || !v.real.CanInterface() {
		return nil
	}
	return current()
}

// Send is v.Send.
func (v ValueOf) Send(x reflect.Value) {
	g := v.channel(reflect.SendDir)
	if g == nil {
		v.real.Send(x)
		return
	}
	g.waiters = append(g.waiters[:0], newReflected(reflect.SendDir, v.real, x).waiter(g))
	g.communicate(KindSend, "channel send", false)
}

// TrySend is v.TrySend.
func (v ValueOf) TrySend(x reflect.Value) bool {
	if v.channel(reflect.SendDir) == nil {
		return v.real.TrySend(x)
	}
	return SelectDefault(newReflected(reflect.SendDir, v.real, x)) == 0
}

// Recv is v.Recv.
func (v ValueOf) Recv() (reflect.Value, bool) {
	g := v.channel(reflect.RecvDir)
	if g == nil {
		return v.real.Recv()
	}
	c := newReflected(reflect.RecvDir, v.real, reflect.Value{})
	g.waiters = append(g.waiters[:0], c.waiter(g))
	g.communicate(KindRecv, "channel receive", false)
	return c.value, g.waiters[0].ok
}

// TryRecv is v.TryRecv.
func (v ValueOf) TryRecv() (reflect.Value, bool) {
	if v.channel(reflect.RecvDir) == nil {
		return v.real.TryRecv()
	}
	c := newReflected(reflect.RecvDir, v.real, reflect.Value{})
	if SelectDefault(c) < 0 {
		return reflect.Value{}, false
	}
	return c.value, c.ok
}

// Close is v.Close.
func (v ValueOf) Close() {
	if v.channel(reflect.SendDir) == nil || v.real.IsNil() {
		v.real.Close()
		return
	}
	c := v.real.UnsafePointer()
	Close(*(*chan<- byte)(unsafe.Pointer(&c)))
}

// Len is v.Len.
func (v ValueOf) Len() int {
	if v.real.Kind() != reflect.Chan || current() == nil {
		return v.real.Len()
	}
	c := v.real.UnsafePointer()
	return Len(*(*<-chan byte)(unsafe.Pointer(&c)))
}

// Cap is v.Cap.
func (v ValueOf) Cap() int {
	if v.real.Kind() != reflect.Chan || current() == nil {
		return v.real.Cap()
	}
	c := v.real.UnsafePointer()
	return Cap(*(*<-chan byte)(unsafe.Pointer(&c)))
}

// A reflected is a Case with a type that is known at run time only.
type reflected struct {
	dir   reflect.ChanDir
	c     reflect.Value // the zero Value: nil
	value reflect.Value // to send, or received; addressable
	ok    bool
}

// newReflected makes a case that sends x, or receives.
func newReflected(dir reflect.ChanDir, c, x reflect.Value) *reflected {
	r := &reflected{dir: dir, c: c}
	if c.IsValid() {
		r.value = reflect.New(c.Type().Elem()).Elem()
	}
	if dir == reflect.SendDir && c.IsValid() {
		r.value.Set(x)
	}
	return r
}

func (r *reflected) waiter(g *goroutine) waiter {
	w := waiter{g: g, send: r.dir == reflect.SendDir}
	if r.c.IsValid() {
		w.value, w.c = r.value.Addr().UnsafePointer(), g.x.find(r.c.UnsafePointer())
	}
	return w
}

func (r *reflected) real() reflect.SelectCase {
	if r.dir == reflect.SendDir {
		return reflect.SelectCase{Dir: reflect.SelectSend, Chan: r.c, Send: r.value}
	}
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: r.c}
}

func (r *reflected) received(v reflect.Value, ok bool) {
	r.ok = ok
	if v.IsValid() {
		r.value.Set(v)
	}
}

// ReflectSelect is reflect.Select.
func ReflectSelect(cases []reflect.SelectCase) (chosen int, recv reflect.Value, recvOK bool) {
	if current() == nil {
		return reflect.Select(cases)
	}
	var all []Case
	var at []int // of cases
	otherwise := -1
	for i, c := range cases {
		switch c.Dir {
		case reflect.SelectDefault:
			otherwise = i
		case reflect.SelectSend:
			all, at = append(all, newReflected(reflect.SendDir, c.Chan, c.Send)), append(at, i)
		default:
			all, at = append(all, newReflected(reflect.RecvDir, c.Chan, reflect.Value{})), append(at, i)
		}
	}
	i := choose("reflect.Select", otherwise >= 0, all)
	if i < 0 {
		return otherwise, reflect.Value{}, false
	}
	if c := all[i].(*reflected); c.dir == reflect.RecvDir {
		return at[i], c.value, c.ok
	}
	return at[i], reflect.Value{}, false
}

// ReflectMakeChan is reflect.MakeChan.
func ReflectMakeChan(t reflect.Type, n int) reflect.Value {
	g := current()
	if g == nil || t.Kind() != reflect.Chan {
		return reflect.MakeChan(t, n)
	}
	made := reflect.MakeChan(t, realRoom(n, t.Elem().Size()))
	elem := t.Elem()
	state := &channel{real: made.UnsafePointer(), capacity: n, size: elem.Size()}
	state.move = func(to, from unsafe.Pointer) {
		if v := reflect.NewAt(elem, to).Elem(); from == nil {
			v.SetZero()
		} else {
			v.Set(reflect.NewAt(elem, from).Elem())
		}
	}
	if n > 0 {
		state.take = func(_, to unsafe.Pointer) (got, ok bool) {
			v, ok := made.TryRecv()
			if v.IsValid() {
				reflect.NewAt(elem, to).Elem().Set(v)
			}
			return v.IsValid(), ok
		}
		state.more = func(buffer unsafe.Pointer, room, n int) unsafe.Pointer {
			more := reflect.MakeSlice(reflect.SliceOf(elem), n, n)
			for i := range room {
				more.Index(i).Set(reflect.NewAt(elem, unsafe.Add(buffer, uintptr(i)*elem.Size())).Elem())
			}
			return more.UnsafePointer()
		}
		state.prepare()
	}
	g.x.enrol(state)
	return made
}

// ReflectSwapper is reflect.Swapper.
func ReflectSwapper(slice any) func(i, j int) {
	swap, v := reflect.Swapper(slice), reflect.ValueOf(slice)
	return func(i, j int) {
		if current() != nil && max(i, j) < v.Len() && min(i, j) >= 0 {
			accessTo("w", v.Slice(i, i+1))
			accessTo("w", v.Slice(j, j+1))
		}
		swap(i, j)
	}
}

// A TypeOf stands for a reflect.Type: t.PkgPath becomes OfType(t).PkgPath.
type TypeOf struct{ real reflect.Type }

// OfType returns what stands for t.
func OfType(t reflect.Type) TypeOf { return TypeOf{t} }

// PkgPath is t.PkgPath; of the types of a shim that of the package for which it
// stands.
func (t TypeOf) PkgPath() string { return original(t.real.PkgPath()) }

// original is the import path of the package for which a shim stands; other paths
// stay as they are.
func original(path string) string {
	name, ok := strings.CutPrefix(path, home+"shim/")
	switch {
	case !ok:
		return path
	case name == "atomic":
		return "sync/atomic"
	case strings.HasPrefix(name, "rand"):
		return "math/" + name
	}
	return name
}
