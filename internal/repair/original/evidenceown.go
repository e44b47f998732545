package original

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/result"
)

// ownEvidence reads what Mendel itself has written of failures: a schedule, or the
// result of a repair. own is false for any other text.
func ownEvidence(text []byte) (failures []evidence.Named, schedule *checker.File, own bool, err error) {
	if json.Valid(text) && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		var r result.Result
		if err := json.Unmarshal(text, &r); err != nil || r.Status == "" || r.Target.Package == "" {
			return nil, nil, false, nil // such as what go test -json prints of one event
		}
		for _, f := range r.Failures {
			failures = append(failures, evidence.Named{Failure: f.Failure, Package: strings.TrimSuffix(r.Target.Package, "_test")})
		}
		if len(failures) == 0 {
			return nil, nil, true, fmt.Errorf("the repair of %s has seen no failure", r.Target.Package)
		}
		return failures, nil, true, nil
	}
	if schedule, err = checker.ParseFile(string(text)); err != nil || schedule.Signature == "" {
		return nil, nil, false, nil
	}
	return []evidence.Named{{
		Failure: evidence.Failure{Kind: schedule.Kind, Signature: schedule.Signature, Message: schedule.Message, Test: schedule.Test},
		Package: schedule.Package,
	}}, schedule, true, nil
}
