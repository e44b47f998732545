package analysis

// NarrowTo returns the narrowing that holds exactly the variables and
// functions whose kind and name ("Account.amount", "(*Account).Transfer") keep
// accepts, and the types that own those variables: for tests, and for users
// who know what is shared.
func NarrowTo(p *Program, keep func(kind FindingKind, name string) bool) *Narrowing {
	ids := newIndex(p)
	n := newNarrowing(p, ids)
	why := Reason{Source: Given, Detail: "named by the caller"}
	for v := range ids.uses {
		if keep(VariableFinding, ids.varName(v)) {
			n.addVar(v, why)
		}
	}
	for _, fn := range ids.functions {
		if keep(FunctionFinding, fn.name) {
			n.addFunc(fn, why)
		}
	}
	n.sort()
	return n
}
