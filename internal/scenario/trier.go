package scenario

import (
	"context"
	"errors"
	"time"

	"mendel/analysis"
	"mendel/internal/gotool"
)

// A Trier tries patches of a program with scenarios.
type Trier struct {
	Tool    *gotool.Toolchain
	Program *analysis.Program
	Budget  time.Duration // for exploring the scenarios of a patch; what is built for it takes its own time
}

// A Result is what scenarios show of a patch.
type Result struct {
	Made       int // scenarios
	Tried      int // of these, those that can be used
	Objections []Objection
}

// Try makes scenarios for what a patch, the files that it changes by absolute names, touches, and explores them.
func (t *Trier) Try(ctx context.Context, files map[string][]byte) (r Result, err error) {
	s := Make(t.Program, Touched(t.Program, files))
	r.Made = len(s.Scenarios)
	d, err := Open(ctx, t.Tool, t.Program, s)
	if err != nil || d == nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	r.Tried = len(d.scenarios)
	r.Objections, err = d.Try(ctx, files, t.Budget)
	return r, err
}
