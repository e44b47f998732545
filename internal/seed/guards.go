package seed

import (
	"slices"

	"mendel/analysis"
	"mendel/mutate"
)

// A Guard is something that synchronises, and the fault that takes it away.
type Guard struct {
	*Fault
	Beside []string // functions that hold the same lock elsewhere, sorted; of what is no lock there are none
}

// takers are the operators that take something away.
var takers = []string{
	"dropsection", "dropwait", "dropdone", "dropsignal", "droponce", "dropcancel",
	"dropclose", "dropreceive", "dropcase", "buffersize", "plainatomic",
}

// Guards lists what synchronises in the package under test at the lines that count, by operator
// and then by place: a patch that adds these lines has tests for it if each fault is noticed.
func Guards(p *analysis.Program, counts func(f *analysis.File, line int) bool) ([]Guard, error) {
	functions, err := functionsOf(p)
	if err != nil {
		return nil, err
	}
	var some []*function
	for _, f := range functions {
		if slices.ContainsFunc(f.Statements(), func(s mutate.Statement) bool { return counts(f.File, f.line(s.Stmt.Pos())) }) {
			some = append(some, f)
		}
	}
	operators, err := operatorsNamed(takers)
	if err != nil {
		return nil, err
	}
	var all []Guard
	for _, fault := range findIn(p, some, operators) {
		if counts(fault.file, fault.Line) {
			all = append(all, Guard{fault, beside(functions, fault)})
		}
	}
	return all, nil
}

// beside are the other functions with sections of the lock that a fault takes away.
func beside(functions []*function, fault *Fault) (names []string) {
	if fault.Operator != "dropsection" {
		return nil
	}
	key := ""
	for _, f := range functions {
		for _, s := range f.sections {
			if f.File == fault.file && f.Name == fault.Func && f.line(s.Acquire.Pos()) == fault.Line {
				key = s.Lock.Key
			}
		}
	}
	for _, f := range functions {
		for _, s := range f.sections {
			if key != "" && s.Lock.Key == key && f.Name != fault.Func {
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
