// Package report tells people and tools what a repair or a check found.
//
// It writes, from what the lower floors hand over and without deciding anything:
//
//   - [Patch]: a unified diff that git apply and patch -p1 take at the module's
//     root, under a message in the form of a commit's ([Message]);
//   - [Annotated]: the same diff for the terminal, each hunk under notes of the
//     edits that made it;
//   - [Summary]: what failed and how often, what the patch does, how often it
//     was run since, what it costs, what speaks against it, and what all that
//     does not prove;
//   - [Failed]: one failure with its positions;
//   - [Check] and [Replay]: the outcome of the model checker, in which
//     [Interleaving] shows a failing execution as a table with one column for
//     each goroutine, and [Table] one that a dossier has;
//   - [Lanes]: the same execution prepared for drawing, for a dossier, as are
//     [Fix] and [Places];
//   - [Progress]: how far a repair is, as one live line or as plain lines.
//
// # What a count of runs means
//
// Runs under noise sample interleavings. If the original failed in a share p of
// its runs and the bug were still there and as frequent as before, n runs would
// all pass with probability (1-p)^n. p is known from few runs only, therefore
// Summary prints that figure averaged over what p may be: after 2 failures in 15
// runs, 150 passing ones are luck once in 1,300 times, not once in two thousand
// million as p = 2/15 would have it. Next to it stands what the figure leaves
// open: a patch may make a failure rarer without removing it, and no number of
// passing runs shows that no interleaving fails.
//
// # Interleavings
//
// A table is made in steps, each in a file of its own: timeline.go finds out who
// started whom, who held what, and what the failure is about; rows.go makes a
// row of each step and folds what explains nothing; layout.go gives columns
// their widths and draws; sources.go looks up and measures text. Where others
// draw, lanes.go takes the place of layout.go: it adds the locks as bars, and
// names these, in locknames.go, as the source does.
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
// A change is one file before and after. A note is what an edit is said to do
// and to guard against. A position is a module-relative file and a line.
package report
