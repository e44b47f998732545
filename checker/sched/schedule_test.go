package sched

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

const scheduleText = `schedule 1
failure: "deadlock"
test: "TestTransfer/a \"b\"\n"

0*12 1*3 =2 0
7 ~1500 !2 + @3
`

func TestScheduleText(t *testing.T) {
	s, err := ParseSchedule(scheduleText)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Header["test"]; got != "TestTransfer/a \"b\"\n" {
		t.Errorf("test %q", got)
	}
	want := []Choice{{Kind: ClockBegins, N: 1500}, {Kind: Expiry, N: 2}, {Kind: TimePassed}, {Kind: Admission, N: 3}}
	if len(s.Choices) != 22 || !slices.Equal(s.Choices[18:], want) || s.Choices[15] != (Choice{Kind: Number, N: 2}) || s.Choices[17].N != 7 {
		t.Errorf("choices %v", s.Choices)
	}
}

func TestScheduleErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "line 1: not a schedule",
		"schedule 2\n":                 "line 1: not a schedule",
		"schedule 1\nx\n":              "line 2: want a header line",
		"schedule 1\nA: \"\"\n":        "line 2: want a header line",
		"schedule 1\na: b\n":           "line 2: header a: value is not quoted",
		"schedule 1\na: \"\"\na: \"\"": "line 3: header a given twice",
		"schedule 1\n\n0 x":            `line 3: "x": want a number`,
		"schedule 1\n\n0*0":            "repeated zero times",
		"schedule 1\n\n0*999999999":    "more than",
		"schedule 1\n\n-1":             "want a number",
	} {
		if _, err := ParseSchedule(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzSchedule(f *testing.F) {
	f.Add(scheduleText)
	f.Add("schedule 1\n\n=0 =0 0 0 1*2")
	f.Add("schedule 1\n\n0 ~500 !1 + @3 !0*2 ~536870912")
	f.Add("schedule 1\na-1: \"\\x00\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSchedule(text)
		if err != nil {
			return
		}
		again, err := ParseSchedule(s.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
		if !maps.Equal(s.Header, again.Header) || !slices.Equal(s.Choices, again.Choices) {
			t.Fatalf("%+v became %+v", s, again)
		}
	})
}
