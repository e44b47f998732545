package sched

// briefClasses is how many executions auto spends on classes before it looks for failures
// in other ways, and shortTrace how long these may be, in steps. Both are guessed: what
// there is to be solved grows with the square of the length.
const (
	briefClasses = 300
	shortTrace   = 400
	// fewClasses say nothing of how many there are. Guessed.
	fewClasses = 100
)

// cover explores the classes of executions. It returns true if all were seen.
func (e *explorer) cover(s *mcm, l limit) bool {
	s.explorer.Stop = func() bool { return e.late(l) }
	nothingLeft := e.stage("mcm", s, l)
	e.report.Classes = s.explorer.Classes()
	e.covered = nothingLeft && s.uncovered() == ""
	return e.covered
}

// coverBriefly is the first attempt of auto. It does not believe that time passes while
// goroutines can go on: where there is time, classes tell nothing, and what other stages
// conclude must not depend on this one. Nor does it go behind races. Where goroutines wait
// by looking again and again, each number of looks is a class: there is no last one.
func (e *explorer) coverBriefly(s *mcm, l limit) bool {
	if len(e.Run.Races) > 0 || e.timed || e.spins || len(e.report.Environment) > 0 {
		s.explorer.Break("it is not tried")
		return false
	}
	s.most = shortTrace
	e.believing = true
	defer func() { e.believing = false }()
	return e.cover(s, e.within(l, briefClasses)) && len(e.report.Failures) == 0
}

// promises reports whether it is worth while to go on: nothing speaks against it, and most
// classes, if many are known, lead to no others.
func (s *mcm) promises() bool {
	known := s.explorer.Classes()
	return s.explorer.Broken() == "" && (known < fewClasses || 2*s.explorer.Left() < known)
}

// uncovered says why not all classes were seen, when nothing is left to be made; "" if they
// were.
func (s *mcm) uncovered() string {
	if s.explorer.Stopped() {
		return "there was not enough time"
	}
	return s.explorer.Broken()
}
