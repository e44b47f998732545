package evidence

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// errProfile is for a binary profile that is cut off or damaged.
var errProfile = errors.New("the profile is damaged or cut off")

// A binaryProfile is what a profile in the format of github.com/google/pprof
// (profile.proto) says of goroutines.
type binaryProfile struct {
	strings   []string
	types     []int64             // of samples: their names, as indices of strings
	samples   [][]uint64          // locations of each stack, innermost first
	locations map[uint64][]line   // inlined calls first
	functions map[uint64][2]int64 // name and file, as indices of strings
}

// A line of a location.
type line struct {
	function uint64
	number   int64
}

// Field numbers of profile.proto. Those of the messages inside follow where
// they are read.
const (
	profileSampleType  = 1
	profileSample      = 2
	profileLocation    = 4
	profileFunction    = 5
	profileStringTable = 6
)

// parseProfile reads an unpacked binary profile. What it leaves out (mappings,
// labels, counts) says nothing about a failure.
func parseProfile(data []byte) (*binaryProfile, error) {
	p := &binaryProfile{locations: map[uint64][]line{}, functions: map[uint64][2]int64{}}
	err := eachField(data, func(f field) error {
		switch f.number {
		case profileSampleType:
			return eachField(f.bytes, func(f field) error {
				if f.number == 1 {
					p.types = append(p.types, int64(f.value))
				}
				return nil
			})
		case profileSample:
			return p.sample(f.bytes)
		case profileLocation:
			return p.location(f.bytes)
		case profileFunction:
			return p.function(f.bytes)
		case profileStringTable:
			p.strings = append(p.strings, string(f.bytes))
		}
		return nil
	})
	if err == nil && (len(p.strings) == 0 || p.strings[0] != "" || len(p.types) == 0) {
		err = errProfile // the table of every profile begins with the empty string
	}
	return p, err
}

func (p *binaryProfile) sample(data []byte) error {
	var ids []uint64
	err := eachField(data, func(f field) error {
		if f.number != 1 {
			return nil
		}
		if f.bytes == nil {
			ids = append(ids, f.value)
			return nil
		}
		for packed := f.bytes; len(packed) > 0; {
			id, n := binary.Uvarint(packed)
			if n <= 0 {
				return errProfile
			}
			ids, packed = append(ids, id), packed[n:]
		}
		return nil
	})
	p.samples = append(p.samples, ids)
	return err
}

func (p *binaryProfile) location(data []byte) error {
	var id uint64
	var lines []line
	err := eachField(data, func(f field) error {
		switch f.number {
		case 1:
			id = f.value
		case 4:
			var l line
			lineErr := eachField(f.bytes, func(f field) error {
				switch f.number {
				case 1:
					l.function = f.value
				case 2:
					l.number = int64(f.value)
				}
				return nil
			})
			lines = append(lines, l)
			return lineErr
		}
		return nil
	})
	p.locations[id] = lines
	return err
}

func (p *binaryProfile) function(data []byte) error {
	var id uint64
	var f [2]int64
	err := eachField(data, func(field field) error {
		switch field.number {
		case 1:
			id = field.value
		case 2:
			f[0] = int64(field.value)
		case 4:
			f[1] = int64(field.value)
		}
		return nil
	})
	p.functions[id] = f
	return err
}

// name is the profile's own: that of its first type of sample.
func (p *binaryProfile) name() string { return p.text(p.types[0]) }

// text is a string of the table; "" for an index that is not in it, and for
// what is no name.
func (p *binaryProfile) text(i int64) string {
	if i < 0 || i >= int64(len(p.strings)) || strings.ContainsFunc(p.strings[i], unicode.IsControl) {
		return ""
	}
	return p.strings[i]
}

// maxSamples is how many stacks of a profile are looked at. Each takes few
// bytes in the file and, unfolded, up to maxFrames calls.
const maxSamples = 4096

// goroutines are the stacks, one each, however many goroutines stand there.
func (p *binaryProfile) goroutines() []Goroutine {
	var all []Goroutine
	for i, ids := range p.samples[:min(len(p.samples), maxSamples)] {
		g := Goroutine{ID: int64(i) + 1}
		for _, id := range ids[:min(len(ids), maxFrames)] {
			lines := p.locations[id]
			for _, l := range lines[:min(len(lines), maxFrames-len(g.Frames))] {
				fn := p.functions[l.function]
				f := Frame{Func: p.text(fn[0]), File: p.text(fn[1]), Line: int(l.number)}
				if f.Func != "" && f.Line >= 0 {
					g.Frames = append(g.Frames, f)
				}
			}
		}
		all = append(all, g)
	}
	return all
}

// failure judges the goroutines of a profile of goroutines.
func (p *binaryProfile) failure() (Failure, bool, error) {
	name := p.name()
	if name != goroutineProfile && name != leakProfile {
		return Failure{}, false, fmt.Errorf("a %s profile says nothing about goroutines; a goroutine or goroutineleak profile does", name)
	}
	f, ok := profileFailure(name, p.goroutines())
	f.Test = testOf(f.Stacks)
	return f, ok, nil
}

// A field of a protocol buffer message: bytes of one that has a length, else
// its value.
type field struct {
	number int
	value  uint64
	bytes  []byte
}

// eachField calls do for the fields of a message in their order.
func eachField(data []byte, do func(field) error) error {
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29 {
			return errProfile
		}
		data = data[n:]
		f := field{number: int(tag >> 3)}
		size := 0
		switch tag & 7 { // wire type
		case 0:
			if f.value, n = binary.Uvarint(data); n <= 0 {
				return errProfile
			}
			size = n
		case 1:
			size = 8
		case 2:
			length, n := binary.Uvarint(data)
			if n <= 0 || length > uint64(len(data)-n) {
				return errProfile
			}
			size = n + int(length)
			f.bytes = data[n:size:size]
		case 5:
			size = 4
		default:
			return errProfile
		}
		if size > len(data) {
			return errProfile
		}
		data = data[size:]
		if err := do(f); err != nil {
			return err
		}
	}
	return nil
}
