package diagnosis

import (
	"fmt"
	"go/types"
	"strings"

	"mendel/analysis/evidence"
	"mendel/analysis/locks/access"
	"mendel/analysis/syntax"
)

// ofPanic finds out why an operation panics, by its stack and the source.
func ofPanic(l looking, f evidence.Failure) []Finding {
	if len(f.Stacks) == 0 {
		return nil
	}
	frame, file := l.innermost(f.Stacks[0].Frames)
	if file == nil {
		return nil
	}
	w := &waitings{looking: l}
	one := &waiting{Place: l.place(file, frame.Line), file: file}
	switch m := f.Message; {
	case strings.Contains(m, "send on closed channel"):
		w.ended(one, evidence.CloseDuringSend, "send", "close", "sends to %s, which is closed at %s")
	case strings.Contains(m, "close of closed channel"):
		w.ended(one, evidence.DoubleClose, "close", "close", "closes %s, which is closed at %s")
	case strings.Contains(m, "negative WaitGroup counter"):
		w.ended(one, evidence.NegativeWaitGroup, "Done", "Add", "takes from the count of %s, to which is added at %s")
	case strings.Contains(m, "nil pointer") || strings.Contains(m, "nil channel") || strings.Contains(m, "in nil map"):
		w.unset(one)
	}
	return w.found
}

// ended explains an operation that panics by others on the same channel or wait group.
func (w *waitings) ended(one *waiting, fault evidence.Fault, does, by, says string) {
	for _, e := range w.endsAt(one.file, one.Line) {
		if e.does != does {
			continue
		}
		f := Finding{Fault: fault, Places: []Place{one.Place}, Variable: e.of.Name()}
		var others []string
		w.ends(func(o end) {
			if o.of == e.of && o.does == by {
				others = append(others, o.Place.String())
				if o.Place != one.Place {
					f.Places = append(f.Places, o.Place)
				}
			}
		})
		if len(others) > 0 {
			f.Says = one.Place.String() + " " + fmt.Sprintf(says, e.of.Name(), strings.Join(others, ", "))
			w.add(f)
		}
		return
	}
}

// unset explains a value that is missing by a goroutine that sets it when it begins: who
// has started the goroutine goes on before that.
func (w *waitings) unset(one *waiting) {
	uses := access.All(w.model)
	for _, u := range uses {
		v := syntax.Variable(u.In.File.Package.Info, u.At)
		if u.In.File != one.file || w.line(u.At.Pos()) != one.Line || v == nil || !mayBeNil(v.Type().Underlying()) {
			continue
		}
		for _, set := range uses {
			if set.Key != u.Key || !set.Write {
				continue
			}
			start, around := w.startOf(set.In.File, set.In.Node)
			if around == nil {
				continue
			}
			at := w.of(set)
			w.add(Finding{
				Fault: evidence.OrderViolation, Places: []Place{start, at, one.Place}, Variable: u.Name,
				Says: fmt.Sprintf("the goroutine that is started at %v sets %s itself, at %v, and %v may find it unset", start, u.Name, at, one.Place),
			})
		}
	}
}

func mayBeNil(t types.Type) bool {
	_, channel := t.(*types.Chan)
	return channel || emptyAtFirst(t)
}
