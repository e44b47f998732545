// Package report writes what a repair or a check found, for people and tools.
//
// It decides nothing: the lower floors hand over what they found, and this
// package words and draws it.
//
//   - [Patch] is a unified diff for git apply and patch -p1 at the module's root.
//     [Message] is the commit message above it.
//   - [Annotated] is the same diff for the terminal, with notes above each hunk
//     on the edits that made it.
//   - [Summary] describes a fix: what failed, what the patch does, the evidence
//     for it, the reasons against it, and what the evidence does not show.
//   - [Failed] describes one failure with its positions.
//   - [Check] and [Replay] describe the outcome of the model checker.
//     [Interleaving] draws a failing execution as a table with one column for
//     each goroutine; [Table] draws one from a dossier.
//   - [Fix], [Places] and [Lanes] prepare a fix, the places of a failure, and an
//     execution for a dossier.
//   - [Progress] shows how far a repair is, as one live line or as plain lines.
//
// For example:
//
//	change := report.Change{Path: "counter.go", Before: before, After: after}
//	os.Stdout.Write(report.Patch([]report.Change{change}, "Guard n with a mutex\n"))
//
// Packages textreport and htmlreport write whole reports from a dossier.
//
// # One wording for each fact
//
// A fact that several reports state has one function here, which all of them
// call: [Limits] for what the evidence does not show, [EverySchedule] for the
// bound of the model checker, [StateWords] for the state of a package, [Seen] and
// [Missed] for counts of runs. The words for the kinds of failures are those of their
// table, [evidence.Kinds].
//
// # What a count of runs means
//
// Runs under noise sample interleavings. If the original failed in a share p of
// its runs and the bug were still there and as frequent as before, n runs would
// all pass with probability (1-p)^n. p is known from few runs only. Therefore
// Summary prints that figure averaged over the values that p may have: after 2
// failures in 15 runs, 150 passing runs are luck once in 1,300 times, not once in
// two billion as p = 2/15 would give. Next to it stands what the figure leaves
// open: a patch may make a failure rarer without removing it, and no number of
// passing runs shows that no interleaving fails.
//
// # Interleavings
//
// A table is made in steps, each in a file of its own: timeline.go finds out who
// started whom, who held what, and what the failure is about; rows.go makes a
// row of each step and folds what explains nothing; layout.go gives columns
// their widths and draws; sources.go looks up and measures text. For the page,
// lanes.go takes the place of layout.go: it adds the locks as bars. locknames.go
// names them as the source does, and lockuses.go gives them the same names in
// the execution of the original and in that of the fix.
//
//	                 main                bank.go:49#1            bank.go:49#2
//	────────────────────────────────────────────────────────────────────────────────
//	bank.go:49       go func() {  ⇒ #1
//	account.go:51  │                   ▶ a.mu.Lock()
//	account.go:53  │                   ✗ write: to.amount += n
//	bank.go:49     ▶ go func() {  ⇒ #2 │
//	account.go:37  │                   │                       ▶ a.mu.Lock()
//	account.go:38  │                   │                       ✗ read: a.amount += n
//
// # Words
//
// A change is one file before and after. A note says what an edit does and what
// it guards against. A position is a module-relative file and a line.
package report
