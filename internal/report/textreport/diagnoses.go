package textreport

import "mendel/internal/dossier"

// shownDiagnoses is how many diagnoses are shown.
const shownDiagnoses = 3

// renderDiagnoses says what is wrong, and which operators would mend that and make no edit
// where it is.
func renderDiagnoses(r renderer, diagnoses []dossier.Diagnosis) {
	if len(diagnoses) == 0 {
		return
	}
	shown := diagnoses[:min(len(diagnoses), shownDiagnoses)]
	r.heading(2, "What is wrong")
	r.list(each(shown, func(d dossier.Diagnosis) prose {
		return capital(say("%s (%s): ", string(d.Fault), d.Certainty)) + sentence(d.Says)
	}))
	var declined []dossier.Declined
	for _, d := range shown {
		declined = append(declined, d.Declined...)
	}
	if len(declined) > 0 {
		r.aside("What would mend that, and is not possible here", func() {
			r.list(each(declined, func(d dossier.Declined) prose {
				return say("%s at %s: ", d.Operator, code(position(d.File, d.Line))) + sentence(d.Reason)
			}))
		})
	}
}
