package localize

import (
	"encoding/json"
	"fmt"

	"mendel/analysis/evidence"
	"mendel/internal/diagnosis"
)

// Status is how a localisation ended.
type Status string

// Statuses. The command's exit codes are 1, 0 and 2 in this order.
const (
	Found        Status = "found"         // there is a fault; Places has where
	NothingFound Status = "nothing-found" // no execution failed; Tried has what was tried
	Inconclusive Status = "inconclusive"  // nothing can be said: see Reason
)

// A Result is what a localisation found.
type Result struct {
	Status  Status `json:"status"`
	Reason  string `json:"reason,omitempty"` // why inconclusive
	Module  string `json:"module"`           // directory
	Package string `json:"package"`
	Seed    uint64 `json:"seed"`
	// Diagnoses say what is wrong, the likeliest first: by the places, and by what the source
	// says of the failures.
	Diagnoses []diagnosis.Finding `json:"diagnoses"`
	Faults    []Fault             `json:"faults"` // most telling first
	Places    []Place             `json:"places"` // of all faults, most suspicious first
	Tried     Tried               `json:"tried"`
	Seconds   float64             `json:"seconds"` // loading and building included
}

// blank is a result for the same program that says nothing.
func (r *Result) blank() *Result {
	return &Result{
		Module: r.Module, Package: r.Package, Seed: r.Seed,
		Diagnoses: []diagnosis.Finding{}, Faults: []Fault{}, Places: []Place{}, // lists in JSON, though they be empty
	}
}

// A Fault is what failures that point to the same places have in common.
type Fault struct {
	Name     evidence.Fault     `json:"name"`
	Variable string             `json:"variable,omitempty"`
	Failures []evidence.Failure `json:"failures"`
	Switches int                `json:"switches"` // preemptions that suffice to make it fail
}

// A Place is where a fault may be.
type Place struct {
	Rank           int      `json:"rank"` // from 1
	File           string   `json:"file"` // relative to the module
	Line           int      `json:"line"`
	Function       string   `json:"function"`
	Statement      string   `json:"statement"`      // the text of the line
	Kind           string   `json:"kind"`           // "read", "write", "lock", "channel send", ...
	Suspiciousness float64  `json:"suspiciousness"` // 0 to 1
	Fault          int      `json:"fault"`          // index in Faults
	Partner        *Partner `json:"partner,omitempty"`
	Says           string   `json:"says"` // one sentence, without a full stop
	// Failing and Passing count the schedules behind the suspiciousness of an order of
	// operations; both are 0 where the failure itself names the place.
	Failing int `json:"failing,omitempty"`
	Passing int `json:"passing,omitempty"`
	// Rate is the share of Runs noised here that failed; see Options.Noise.
	Rate float64 `json:"rate,omitempty"`
	Runs int     `json:"runs,omitempty"`

	// Name is the fault that the place itself suggests, where failures of one fault suggest
	// several.
	Name evidence.Fault `json:"-"`

	absolute string
}

// Compared reports whether the place was found by comparing executions that fail with those
// that pass; else the failure itself names it.
func (p Place) Compared() bool { return p.Failing+p.Passing > 0 }

// A Partner is the operation of another goroutine that takes part.
type Partner struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Function  string `json:"function"`
	Statement string `json:"statement"`
	Kind      string `json:"kind"`
}

// Tried is what was done.
type Tried struct {
	Verdict     string `json:"verdict,omitempty"` // of the checker, in words
	Tests       int    `json:"tests"`
	Schedules   int    `json:"schedules"` // explored
	Failing     int    `json:"failing"`   // executions compared
	Passing     int    `json:"passing"`
	NoisePlaces int    `json:"noisePlaces,omitempty"`
	NoiseRuns   int    `json:"noiseRuns,omitempty"`
}

// JSON is the result as text.
func (r *Result) JSON() ([]byte, error) {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return append(data, '\n'), nil
}
