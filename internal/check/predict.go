package check

import "mendel/checker/sched/explore"

// Predict is the strategy that asks the model of one run for failures.
const Predict = explore.Predict

// Predicted is what the model of one run of a test foretold, and what became of it.
type Predicted struct {
	Steps   int `json:"steps"`   // of the run
	Window  int `json:"window"`  // steps that were looked at together
	Windows int `json:"windows"` // each begins in the middle of the last one
	// Whole reports that there was time for all windows.
	Whole       bool         `json:"whole"`
	Doubt       string       `json:"doubt,omitempty"` // what of the program the model does not follow
	Predictions []Prediction `json:"predictions"`
}

// A Prediction is something that may go wrong in another schedule.
type Prediction struct {
	Kind      string          `json:"kind"`    // "data race", "deadlock", "nil read", "use of a closed channel", "atomicity violation"
	Outcome   explore.Outcome `json:"outcome"` // "confirmed", "refuted", "undecided"
	Reason    string          `json:"reason"`  // for the outcome
	Places    []Place         `json:"places"`
	Schedules int             `json:"schedules"` // that were made along it
}

// predicted is what the checker was told.
func predicted(p *explore.Predicted) *Predicted {
	if p == nil {
		return nil
	}
	told := &Predicted{Steps: p.Steps, Window: p.Window, Windows: p.Windows, Whole: p.Whole, Doubt: p.Doubt, Predictions: []Prediction{}}
	for _, q := range p.Predictions {
		one := Prediction{Kind: q.Kind, Outcome: q.Outcome, Reason: q.Reason, Schedules: q.Made, Places: []Place{}}
		for _, at := range q.Places {
			one.Places = append(one.Places, placeOf(at))
		}
		told.Predictions = append(told.Predictions, one)
	}
	return told
}
