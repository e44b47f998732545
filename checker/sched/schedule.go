package sched

import (
	"bufio"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// A Schedule is an execution in a form that can be stored: its choices and what
// is known about them. As text it is
//
//	schedule 1
//	failure: "deadlock"
//	test: "TestTransfer"
//
//	0*12 1*3 =2 0 ~0 0 !0 1
//
// where 1*3 stands for three steps of goroutine 1 in a row, =2 for the number 2
// being chosen, @3 for goroutine 3 that is admitted from outside control, and !0 for
// the first of the timers that are next to expire. ~500 stands where a timer is used
// for the first time: from there on each timer that expires is in the schedule, and
// those that last 500 ms or more did not do so early; ~0: any may have. Without that
// mark time-outs were believed: time passes by itself when no goroutine can go on,
// and + stands for time that passes although one could.
type Schedule struct {
	// Header tells where the schedule comes from. Keys are of lower-case
	// letters, digits and hyphens, beginning with a letter.
	Header  map[string]string
	Choices []Choice
}

const (
	scheduleVersion = "schedule 1"
	timePasses      = "+"
	scheduleWidth   = 76      // of a line of choices
	maxChoices      = 1 << 24 // so that a short text does not become a huge schedule
)

// prefixes begin the text of choices that have a value.
var prefixes = map[ChoiceKind]string{Number: "=", Admission: "@", Expiry: "!", ClockBegins: "~"}

// String returns the text of s. It panics if a key of the header is not
// allowed or a choice is negative.
func (s *Schedule) String() string {
	var b strings.Builder
	b.WriteString(scheduleVersion + "\n")
	keys := make([]string, 0, len(s.Header))
	for key := range s.Header {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		if !validKey(key) {
			panic(fmt.Sprintf("schedule: header key %q", key))
		}
		fmt.Fprintf(&b, "%s: %s\n", key, strconv.Quote(s.Header[key]))
	}
	if len(s.Choices) > 0 {
		b.WriteString("\n" + FormatChoices(s.Choices) + "\n")
	}
	return b.String()
}

// FormatChoices returns the part of a schedule's text that follows the header,
// in lines of at most 76 bytes. It panics if a choice is negative.
func FormatChoices(choices []Choice) string {
	var b strings.Builder
	column := 0
	for i := 0; i < len(choices); {
		token, n := printChoice(choices[i:])
		i += n
		switch {
		case column == 0:
		case column+1+len(token) > scheduleWidth:
			b.WriteString("\n")
			column = 0
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(token)
		column += len(token)
	}
	return b.String()
}

// ParseChoices reads what FormatChoices returned; white space is free.
func ParseChoices(text string) ([]Choice, error) {
	s := &Schedule{}
	err := s.parseChoices(text)
	return s.Choices, err
}

// printChoice returns the text for the first n of choices.
func printChoice(choices []Choice) (token string, n int) {
	first := choices[0]
	if first.Kind > ClockBegins || first.N < 0 || first.Kind == TimePassed && first.N != 0 {
		panic(fmt.Sprintf("schedule: choice %+v", first))
	}
	switch first.Kind {
	case TimePassed:
		return timePasses, 1
	case Number, Admission, Expiry, ClockBegins:
		return prefixes[first.Kind] + strconv.Itoa(first.N), 1
	}
	for n = 1; n < len(choices) && choices[n] == first; n++ {
	}
	if n == 1 {
		return strconv.Itoa(first.N), 1
	}
	return fmt.Sprintf("%d*%d", first.N, n), n
}

// ParseSchedule reads the text of a schedule. An error names the line.
func ParseSchedule(text string) (*Schedule, error) {
	s := &Schedule{Header: map[string]string{}}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	if !lines.Scan() || lines.Text() != scheduleVersion {
		return nil, fmt.Errorf("line 1: not a schedule: it must begin with %q", scheduleVersion)
	}
	inHeader := true
	for number := 2; lines.Scan(); number++ {
		line := lines.Text()
		var err error
		switch {
		case inHeader && line == "":
			inHeader = false
		case inHeader:
			err = s.parseHeader(line)
		default:
			err = s.parseChoices(line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return s, lines.Err()
}

func (s *Schedule) parseHeader(line string) error {
	key, quoted, ok := strings.Cut(line, ": ")
	if !ok || !validKey(key) {
		return fmt.Errorf("want a header line (key: \"value\") or an empty line before the choices, have %q", line)
	}
	if _, twice := s.Header[key]; twice {
		return fmt.Errorf("header %s given twice", key)
	}
	value, err := strconv.Unquote(quoted)
	if err != nil {
		return fmt.Errorf("header %s: value is not quoted: %s", key, quoted)
	}
	s.Header[key] = value
	return nil
}

func (s *Schedule) parseChoices(line string) error {
	for _, token := range strings.Fields(line) {
		if token == timePasses {
			s.Choices = append(s.Choices, Choice{Kind: TimePassed})
			continue
		}
		if value, kind := valued(token); kind != Step {
			v, err := parseNumber(value)
			if err != nil {
				return fmt.Errorf("%q: %w", token, err)
			}
			s.Choices = append(s.Choices, Choice{Kind: kind, N: v})
			continue
		}
		id, times, repeated := strings.Cut(token, "*")
		g, err := parseNumber(id)
		n := 1
		if err == nil && repeated {
			n, err = parseNumber(times)
		}
		if err == nil && n == 0 {
			err = errors.New("repeated zero times")
		}
		if err == nil && len(s.Choices)+n > maxChoices {
			err = fmt.Errorf("more than %d choices", maxChoices)
		}
		if err != nil {
			return fmt.Errorf("%q: %w", token, err)
		}
		for range n {
			s.Choices = append(s.Choices, Choice{Kind: Step, N: g})
		}
	}
	return nil
}

// valued returns the value in the text of a choice that is no step, and its kind; else
// Step.
func valued(token string) (value string, kind ChoiceKind) {
	for kind, prefix := range prefixes {
		if value, ok := strings.CutPrefix(token, prefix); ok {
			return value, kind
		}
	}
	return "", Step
}

func parseNumber(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, errors.New("want a number, number*times, =number, @number, !number, ~number or +")
	}
	return int(n), nil
}

func validKey(key string) bool {
	for i, r := range key {
		letter := r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return false
		}
	}
	return key != ""
}
