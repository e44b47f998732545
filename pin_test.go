package mendel_test

import (
	"testing"

	"mendel"
	"mendel/fitness"
	"mendel/internal/dossier"
	"mendel/internal/journal"
	"mendel/internal/pin"
	"mendel/internal/result"
	"mendel/validate"
)

// What is stored has the form that it had, so that files of earlier versions
// can be read.
func TestPinned(t *testing.T) {
	pin.JSON(t, "testdata/pin/result.json", pin.Fill[mendel.Result]())
	pin.JSON(t, "testdata/pin/check.json", pin.Fill[mendel.CheckResult]())
	pin.JSON(t, "testdata/pin/checks.json", pin.Fill[mendel.GateSummary]())
	pin.JSON(t, "testdata/pin/seed.json", pin.Fill[mendel.SeedResult]())
	pin.JSON(t, "testdata/pin/replay.json", pin.Fill[mendel.ReplayResult]())
	pin.JSON(t, "testdata/pin/series.json", pin.Fill[mendel.Series]())
	pin.JSON(t, "testdata/pin/status.json", pin.Fill[mendel.State]())
	pin.JSON(t, "testdata/pin/dossier.json", pin.Fill[dossier.Dossier]())
	pin.JSON(t, "testdata/pin/options.json", pin.Fill[journal.Options]())
	pin.JSON(t, "testdata/pin/baseline.json", pin.Fill[journal.SavedBaseline]())
	pin.JSON(t, "testdata/pin/source.json", pin.Fill[journal.Fingerprint]())
	pin.JSON(t, "testdata/pin/work.json", pin.Fill[result.Work]())
	pin.JSON(t, "testdata/pin/evaluation.json", pin.Fill[fitness.Record]())
	pin.JSON(t, "testdata/pin/validation.json", pin.Fill[validate.Record]())
}
