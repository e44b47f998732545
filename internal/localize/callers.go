package localize

import (
	"fmt"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
)

// ownFirst lessens the suspicion of places in other packages, and adds the places in
// the package that was asked about that lead to them, as a failure shows it.
func (x *examiner) ownFirst(f *checker.Failure, list []suspect) []suspect {
	var callers []suspect
	for i := range list {
		if x.src.asked(list[i].at) {
			continue
		}
		for _, stack := range f.Stacks {
			if caller, ok := x.caller(stack, list[i].at); ok {
				s := list[i]
				s.at, s.says = caller, fmt.Sprintf("leads to %s: %s", x.src.rel(list[i].at), s.says)
				callers = append(callers, s)
			}
		}
		if !x.src.test(list[i].at) {
			list[i].score *= inOtherPlace
		}
	}
	return append(list, callers...)
}

// caller is the innermost place of a stack in the package that was asked about, if
// the stack's innermost place in the module is a given one.
func (x *examiner) caller(stack evidence.Stack, leaf site) (site, bool) {
	first := true
	for _, frame := range stack.Frames {
		at := site{frame.File, frame.Line}
		if !x.src.inside(at) {
			continue
		}
		if first && at != leaf {
			return site{}, false
		}
		first = false
		if x.src.asked(at) {
			return at, true
		}
	}
	return site{}, false
}

// asked reports whether a place is in the package that was asked about, and in none
// of its tests.
func (s *sources) asked(at site) bool {
	f := s.program.File(at.file)
	return f != nil && !f.Test && strings.TrimSuffix(f.Package.Path, "_test") == s.program.Packages[0].Path
}
