package analysis

type heatMap struct{}

func newHeatMap(*Program, *index) *heatMap { return &heatMap{} }

func (n *Narrowing) Heat(file string, line int) float64 { return 0 }
