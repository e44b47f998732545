package validate

import (
	"fmt"

	"mendel/checker"
	"mendel/checker/sched"
	"mendel/mutate"
)

// What passing schedules of the original deliver, a mutant must deliver, too.
//
// It is led along them (checker.Search.Expect), which it can follow only as far
// as it does the same: a channel that has got a buffer takes two steps where one
// was. Therefore it is led in more ways than one, and a message counts as
// dropped only if it is in all of them. Where the mutant has default cases that
// the original has not, those are taken too wherever a partner might be late,
// and a message that is then lost in all ways is dropped as well.

// A mailbox is a place where channels are made, as a line of the original, and
// the type of their elements.
type mailbox struct {
	line
	element string
}

// A letter is a message as far as it is told apart.
type letter struct {
	mailbox
	value  string
	closed bool
}

// led are the ways in which a mutant was led along one schedule.
type led struct{ plainly, declining []checker.Delivered }

// expect completes a search by what the mutant has to deliver.
func (v *Validator) expect(m *mutate.Mutant, s *checker.Search) error {
	if v.o.Original == nil || len(v.o.Original.Delivered) == 0 {
		return nil
	}
	j, err := v.judge(m)
	if err != nil || !j.communicates {
		return err
	}
	s.Expect, s.Decline = v.o.Original.Delivered, j.declines
	return nil
}

// dropped compares what a mutant delivered with what it has to; nil if nothing
// is missing, or nothing could be compared.
func (v *Validator) dropped(m *mutate.Mutant, expected, got []checker.Delivered) *Breach {
	along := map[checker.Schedule]*led{}
	for _, d := range got {
		l := along[d.Schedule]
		if l == nil {
			l = &led{}
			along[d.Schedule] = l
		}
		switch {
		case !d.Way.Declines():
			l.plainly = append(l.plainly, d)
		case d.Declined > 0:
			l.declining = append(l.declining, d)
		}
	}
	for _, want := range expected {
		l := along[want.Schedule]
		if l == nil {
			continue
		}
		for _, ways := range [][]checker.Delivered{l.plainly, l.declining} {
			if b := v.lostInAll(m, want.Messages, ways); b != nil {
				b.What += fmt.Sprintf(", along a schedule of %s that the original passes (%d compared)", want.Schedule.Test, len(along))
				return b
			}
		}
	}
	return nil
}

// lostInAll tells what is lost in the first of several ways if something is in each.
func (v *Validator) lostInAll(m *mutate.Mutant, want []sched.Delivery, ways []checker.Delivered) (first *Breach) {
	for _, way := range ways {
		b := v.lost(m, want, way.Messages)
		if b == nil {
			return nil
		}
		if first == nil {
			first = b
		}
	}
	return first
}

// lost tells which message was not received. Messages are the same when their
// values are equal; what a closed channel gives stands for the zero value that
// was sent. A message that was received with another value, as when it counts
// something, is not lost.
func (v *Validator) lost(m *mutate.Mutant, want, got []sched.Delivery) *Breach {
	have := map[letter]int{}
	for _, d := range got {
		at := line{d.File, d.Line}
		if _, changed := m.Files[d.File]; changed {
			at.number = m.OriginalLine(d.File, d.Line)
		}
		have[letter{mailbox{at, d.Type}, d.Value, d.Closed}] += d.Count
	}
	type missing struct {
		value string
		count int
	}
	var places []mailbox // in order
	lack := map[mailbox]missing{}
	for _, d := range want {
		if d.Closed {
			continue
		}
		box := mailbox{line{d.File, d.Line}, d.Type}
		n := d.Count
		for _, closed := range []bool{false, true} {
			l := letter{box, d.Value, closed}
			taken := min(n, have[l])
			have[l] -= taken
			n -= taken
		}
		if n > 0 {
			if lack[box].count == 0 {
				places = append(places, box)
			}
			lack[box] = missing{d.Value, lack[box].count + n}
		}
	}
	for l, n := range have {
		if one, ok := lack[l.mailbox]; ok && !l.closed {
			one.count -= n
			lack[l.mailbox] = one
		}
	}
	for _, box := range places {
		if one := lack[box]; one.count > 0 {
			what := "a message to the channel of " + box.element + " made here"
			if one.value != "" && one.value != "{}" {
				what += ", " + one.value + ","
			}
			file := box.file
			if f := v.o.Program.File(file); f != nil {
				file = f.Rel
			}
			return &Breach{DroppedMessage, file, box.number, what + " is not received"}
		}
	}
	return nil
}

// spins tells that goroutines of a mutant go on for ever without waiting, which
// those of the original do not.
func (v *Validator) spins(m *mutate.Mutant, report *checker.Report) *Breach {
	if report.Spun == 0 || v.o.Original == nil || v.o.Original.Spun > 0 || len(m.Edits) == 0 {
		return nil
	}
	e := m.Edits[0]
	return &Breach{Spin, e.File, e.Line, fmt.Sprintf("in %d schedules a goroutine went on for ever without waiting", report.Spun)}
}
