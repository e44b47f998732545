package sched

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// A Delivery is a number of equal messages that goroutines received, in one
// execution, from the channels made at one place.
type Delivery struct {
	Type  string // of the elements, "error"
	File  string // where the channels were made
	Line  int
	Value string // as Go writes it, see printed; "": not distinguished
	// Closed messages were not sent: they are zero values that a closed channel
	// gave.
	Closed bool
	Count  int
}

// messageCounts counts what was received from one channel.
type messageCounts struct {
	element reflect.Type
	made    position
	counts  map[message]int
}

type message struct {
	value  string
	closed bool
}

// clockTicks are not counted: what a timer sends depends on time alone.
const clockTicks = "time.Time"

// newMessageCounts is called by MakeChan, whose caller makes the channel; nil when
// its messages are not counted.
func newMessageCounts[T any]() *messageCounts {
	element := reflect.TypeFor[T]()
	if element.String() == clockTicks {
		return nil
	}
	return &messageCounts{element: element, made: where(1, shallow, nil), counts: map[message]int{}}
}

// deliver counts a message that was received.
func (c *channel) deliver(value unsafe.Pointer, closed bool) {
	if b := c.messages; b != nil {
		b.counts[message{printed(reflect.NewAt(b.element, value).Elem(), printedDepth), closed}]++
	}
}

// deliveries sums up what was received, in order of place, type and value.
func (x *execution) deliveries() []Delivery {
	sum := map[Delivery]int{}
	for _, c := range x.channels {
		b := c.messages
		if b == nil {
			continue
		}
		d := Delivery{Type: b.element.String()}
		if frames := b.made.frames(); len(frames) > 0 {
			d.File, d.Line = frames[0].File, frames[0].Line
		}
		for m, n := range b.counts {
			d.Value, d.Closed = m.value, m.closed
			sum[d] += n
		}
	}
	list := make([]Delivery, 0, len(sum))
	for d, n := range sum {
		d.Count = n
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b Delivery) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Type, b.Type), strings.Compare(a.Value, b.Value), compareBools(a.Closed, b.Closed))
	})
	return list
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Values are distinguished up to this depth and length; both are guessed.
const (
	printedDepth  = 3
	printedLength = 100
)

// printed is a value as text: basic types, and structs, arrays and interfaces of
// them. A pointer is printed as nil or non-nil only, because the program may be
// writing its target. Methods are not called.
func printed(v reflect.Value, depth int) string {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Complex64, reflect.Complex128:
		return strconv.FormatComplex(v.Complex(), 'g', -1, 128)
	case reflect.String:
		text := v.String()
		if len(text) > printedLength {
			text = text[:printedLength]
		}
		return strconv.Quote(text)
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if v.IsNil() {
			return "nil"
		}
		return "non-nil"
	}
	if depth == 0 {
		return "..."
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return v.Elem().Type().String() + "(" + printed(v.Elem(), depth-1) + ")"
	case reflect.Struct:
		return "{" + list(v.NumField(), func(i int) string { return printed(v.Field(i), depth-1) }) + "}"
	case reflect.Array:
		return "[" + list(v.Len(), func(i int) string { return printed(v.Index(i), depth-1) }) + "]"
	}
	return ""
}

// list writes elements one after the other, as long as there is room.
func list(n int, element func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(" ")
		}
		if b.Len() > printedLength {
			return b.String() + "..."
		}
		b.WriteString(element(i))
	}
	return b.String()
}
