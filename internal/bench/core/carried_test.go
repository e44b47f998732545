package core

import (
	"slices"
	"testing"

	"mendel"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/trial"
)

// Searches of more than ten mutants count, subject by subject, and none that was from scratch.
func TestCarriedTable(t *testing.T) {
	search := func(arm string, mutants, made, carried, repeated int) armTrial {
		return armTrial{Arm: arm, Trial: trial.Trial{Search: mendel.Search{Evaluations: mutants, Schedules: made, Carried: carried, Repeated: repeated}}}
	}
	r := &report{Subjects: []*subjectReport{
		{Subject: subject.Subject{Name: "account"}, Trials: []armTrial{search("default", 11, 60, 30, 10), search("default", 10, 5, 95, 0), search("scratch", 11, 100, 0, 0)}},
		{Subject: subject.Subject{Name: "buffer"}, Trials: []armTrial{search("default", 20, 100, 100, 0), search("default", 20, 200, 0, 0)}},
	}}
	want := [][]string{
		{"default", "account", "1", "11", "100", "30", "10", "40 %", ""},
		{"default", "buffer", "2", "40", "400", "100", "0", "25 %", "32 %"},
	}
	if rows := r.carriedTable().Rows; !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("rows %q, want %q", rows, want)
	}
}
