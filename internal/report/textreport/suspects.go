package textreport

import "mendel/internal/dossier"

// shownSuspects is how many places of a fault are shown.
const shownSuspects = 5

// renderSuspects lists the places where the fault may be.
func renderSuspects(r renderer, suspects []dossier.Suspect) {
	if len(suspects) == 0 {
		return
	}
	r.heading(2, "Where the fault may be")
	rows := [][]prose{}
	for _, s := range suspects[:min(len(suspects), shownSuspects)] {
		fault := say("%s", string(s.Fault))
		if s.Variable != "" {
			fault = say("%s (%s)", string(s.Fault), code(s.Variable))
		}
		because := sentence(s.Says)
		if s.Partner != nil {
			because += say(" The other goroutine: %s at %s.", s.Partner.What, code(position(s.Partner.File, s.Partner.Line)))
		}
		rows = append(rows, []prose{say("%s", code(position(s.Place.File, s.Place.Line))), say("%s", code(s.Place.Text)), fault, because, say("%.2f", s.Suspiciousness)})
	}
	r.table([]string{"Place", "Statement", "Fault", "Because", "Suspiciousness"}, rows)
}
