package explore

// Bounds of what auto spends on classes. All are guessed.
const (
	// firstClasses is how many executions it spends on them before all else, and firstWork
	// what the solver may do for these: that of a tenth of a second, and the same on each
	// machine. All classes of tests of 30 steps are seen with that, as a rule.
	firstClasses = 50
	firstWork    = 600_000
	// briefClasses is how many it spends before it looks for failures in other ways, and
	// shortTrace how long these may be, in steps: what there is to be solved grows with the
	// square of the length.
	briefClasses = 300
	shortTrace   = 400
	// fewClasses say nothing of how many there are.
	fewClasses = 100
)

// classes is the strategy mcm.
func (e *explorer) classes() {
	if s := newMCM(); !e.cover(s, e.until(1), 0) {
		e.uncovered = s.uncovered()
	}
}

// cover explores the classes of executions. It returns true if all were seen. work bounds
// what the solver does, 0: not at all.
func (e *explorer) cover(s *mcm, l limit, work int) bool {
	s.explorer.Stop = func() bool { return e.late(l) || work > 0 && s.explorer.Work() > work }
	nothingLeft := e.stage("mcm", s, l)
	e.report.Classes = s.explorer.Classes()
	e.covered = nothingLeft && s.uncovered() == ""
	return e.covered
}

// coverFirst is the first attempt of auto, for short tests.
func (e *explorer) coverFirst(s *mcm) bool {
	return e.coverBriefly(s, e.within(e.until(0.1), firstClasses), firstWork)
}

// coverBriefly is an attempt of auto. It does not believe that time passes while
// goroutines can go on: where there is time, classes tell nothing, and what other stages
// conclude must not depend on this one. Nor does it go behind races. Where goroutines wait
// by looking again and again, each number of looks is a class: there is no last one.
func (e *explorer) coverBriefly(s *mcm, l limit, work int) bool {
	if len(e.Run.Races) > 0 || e.timed || e.spins || len(e.report.Environment) > 0 {
		s.explorer.Break("it is not tried")
		return false
	}
	s.most = shortTrace
	e.believing = true
	defer func() { e.believing = false }()
	if !e.cover(s, l, work) || len(e.report.Failures) > 0 {
		return false
	}
	if e.unwatched != "" || e.uncontrolledCall != "" { // what goroutines see there is not known
		s.explorer.Break("not all that goroutines see is seen")
		e.covered = false
	}
	return e.covered
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
