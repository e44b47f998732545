// Package report tells people and tools what a repair found.
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
// # Words
//
// A change is one file before and after. A note is what an edit is said to do
// and to guard against. A position is a module-relative file and a line.
package report
