package diagnosis

import "mendel/analysis/evidence"

// Remedies are the table of strategies.
var Remedies = remedies

// A Remedy is what mends a fault.
type Remedy = remedy

func (r remedy) Fault() evidence.Fault  { return r.fault }
func (r remedy) Strategies() []Strategy { return r.strategies }
func (r remedy) None() string           { return r.none }
