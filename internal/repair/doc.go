// Package repair is the way of one repair, a stage in a file.
//
//	load         environment.go    the program, and what the evidence names
//	enter        resume.go         the run in the store, or that it goes on
//	reproduce    package original  how the original fails: a baseline
//	narrow       scope.go          what is used concurrently, and the edits there
//	judges       judges.go         who scores mutants and validates candidates; underforced.go: under what failed the
//	                               original when it was forced; elsewhere.go and climb.go: a fix is extended to what
//	                               it leaves
//	find         transferred.go    fixes of other packages
//	             search.go         the genetic search (diagnosed.go: what comes first; feedback.go, history.go)
//	             combine.go        each cause by itself, and the fixes combined
//	             trace.go          executions to show; partial.go: what came closest
//	plant        planted.go        what the best fix adds is taken away, guard by guard: do tests notice?
//	assemble     assemble.go       the result; dossier.go: what the reports need
//
// What all of them are given is a setup (package setup): program, settings, and where to tell what is done.
//
// [Run] does them in this order. A stage is a function of what the stages before
// it returned, and changes none of it:
//
//	r, err := repair.Run(ctx, result.Wanted{Dir: "internal/cache", Run: "TestEvict", Out: "mendel-out"})
//	if err != nil {
//		return err
//	}
//	if r.Status == result.Fixed {
//		err = r.Apply(r.Fixes[0])
//	}
//
// Words: the environment is the setup, with what is known besides, and never changes. The
// baseline is how the original behaves. The scope is what the repair is narrowed
// to; it grows in the search, by what failures of mutants name, as does of the baseline what is kept apart. Findings are
// what became of the candidates, the outcome is what looking for fixes has come
// to. A cluster is failures that seem to have one cause. A transferred fix is one
// of another package. What is told and counted goes through the progress.
//
// A run that is resumed takes the same way again. What was learnt from outside is
// answered by the journal: how the original behaves, scores, validations.
//
// [Verify] validates a change that somebody else has made (verify.go), in place of the
// search: nothing is edited, and the journal keeps nothing.
//
// [Look] triages a package for a series (look.go): the first stages, and no search.
package repair
