package analysis

import (
	"fmt"

	"mendel/analysis/evidence"
)

// Ranked is the evidence of executions that were compared: of those that fail and
// those that pass.
const Ranked Source = "ranking"

// A Suspect is a line that fails when other goroutines come at the wrong moment.
type Suspect struct {
	File   string // absolute, or relative to the module
	Line   int
	Func   string  // as in an [evidence.Frame]; may be ""
	Degree float64 // 0 to 1
	Says   string  // why, in one sentence
}

// Suspect adds the functions that suspects are in, and warms the lines, what their
// functions do with the same variables, and what others do with those. Unlike a
// failure a suspect is no proof: it adds no variables.
func (n *Narrowing) Suspect(all ...Suspect) (added int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, one := range all {
		file := n.p.File(one.File)
		if file == nil || one.Line < 1 || one.Line > n.p.Fset.File(file.AST.FileStart).LineCount() {
			continue
		}
		fn := n.p.functionAt(file, evidence.Frame{Func: one.Func, Line: one.Line})
		if fn == nil {
			continue
		}
		s := site{file: file, line: one.Line, fn: fn}
		n.heat.stack([]site{s}, one.Degree)
		n.heat.variables(n.usedAt(s, false), []*function{fn}, one.Degree)
		added += n.addFunc(fn, Reason{Ranked, fmt.Sprintf("suspicious (%s:%d): %s", file.Rel, s.line, one.Says)})
	}
	return added
}
