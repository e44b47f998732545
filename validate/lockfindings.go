package validate

import (
	"errors"
	"fmt"
	"slices"

	"mendel/analysis/locks"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// findingFlags are the flags that the model of locks gives a fix.
var findingFlags = map[locks.FindingKind]mutate.Flag{
	locks.LeftOut: mutate.IncompleteGuard, locks.Unguarded: mutate.DropsGuard, locks.WrongLock: mutate.WrongLock,
	locks.SplitSection: mutate.SplitSection, locks.HeldLonger: mutate.Blocks, locks.RingLeft: mutate.Nested,
	locks.WokenOne: mutate.LostWakeup, locks.NotWoken: mutate.LostWakeup, locks.Remade: mutate.Remakes, locks.RelockLeft: mutate.Relocks,
}

// addFindings adds to the flags of a patch, and to its quality, what the model of locks
// finds wrong with it beside the original.
func (v *Validator) addFindings(m *mutate.Mutant, q *Quality, flags []mutate.Flag) ([]mutate.Flag, error) {
	fset, pkgs, err := v.o.Program.Recheck(m.Files)
	var wrong *gotool.BuildError
	if errors.As(err, &wrong) {
		return flags, nil // it will not be built either
	}
	if err != nil {
		return flags, fmt.Errorf("comparing the locks of a patch with the original: %w", err)
	}
	for _, f := range locks.Changes(v.o.Program, fset, pkgs) {
		if flag := findingFlags[f.Kind]; !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
		words := fmt.Sprintf("%s in %s (%s:%d)", f.What, f.Func, f.File, f.Line)
		switch f.Kind {
		case locks.LeftOut, locks.Unguarded, locks.WrongLock:
			q.Unguarded = append(q.Unguarded, words)
		case locks.SplitSection:
			q.Split = append(q.Split, words)
		default:
			q.Locks = append(q.Locks, words)
		}
	}
	return flags, nil
}
