package analysis_test

import (
	"os"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/internal/lean"
)

func TestMain(m *testing.M) {
	lean.Children()
	analysis.LoadPlain = analysistest.Load
	os.Exit(m.Run())
}
