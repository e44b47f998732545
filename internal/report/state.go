package report

import "strings"

// StateWords names the state of a package in a repair of several. Status is that
// of series.json, which a package has once its repair has ended; begun reports
// whether the repair has started.
func StateWords(status string, begun bool) string {
	switch {
	case status == "fixed-incomplete":
		return "fixed, validation incomplete"
	case status != "":
		return strings.ReplaceAll(status, "-", " ") // "not-fixed"
	case begun:
		return "running"
	}
	return "not tried yet"
}

// VerdictWords names how the verification of a patch ended, by the status of result.json.
func VerdictWords(status string) string {
	switch status {
	case "fixed":
		return "validated"
	case "fixed-incomplete":
		return "validation incomplete"
	case "workaround":
		return "a workaround"
	case "not-fixed":
		return "refused"
	}
	return StateWords(status, true)
}
