package mendel

import (
	"testing"

	"mendel/fitness"
	"mendel/internal/dossier"
	"mendel/internal/pin"
	"mendel/validate"
)

func TestPinned(t *testing.T) {
	pin.JSON(t, "testdata/pin/result.json", pin.Fill[Result]())
	pin.JSON(t, "testdata/pin/check.json", pin.Fill[CheckResult]())
	pin.JSON(t, "testdata/pin/replay.json", pin.Fill[ReplayResult]())
	pin.JSON(t, "testdata/pin/series.json", pin.Fill[Series]())
	pin.JSON(t, "testdata/pin/status.json", pin.Fill[State]())
	pin.JSON(t, "testdata/pin/dossier.json", pin.Fill[dossier.Dossier]())
	pin.JSON(t, "testdata/pin/options.json", pin.Fill[Options]())
	pin.JSON(t, "testdata/pin/baseline.json", pin.Fill[keptBaseline]())
	pin.JSON(t, "testdata/pin/source.json", pin.Fill[fingerprint]())
	pin.JSON(t, "testdata/pin/work.json", pin.Fill[work]())
	pin.JSON(t, "testdata/pin/evaluation.json", pin.Fill[fitness.Record]())
	pin.JSON(t, "testdata/pin/validation.json", pin.Fill[validate.Record]())
}
