// Package textreport writes what a repair left, its [dossier.Dossier], for readers
// and tools other than a browser:
//
//   - [Markdown]: a page for a code host, report.md;
//   - [Text]: the same for the terminal, in colour if wanted;
//   - [Patch]: one fix as a mail, which git am and git apply take;
//   - [SARIF]: failures with their positions and executions, and fixes, in the
//     format that code scanning services and editors read (version 2.1.0);
//   - [GitHub]: failures and fixes as annotations of a workflow run.
//
// [MarkdownContents] and [TextContents] stand before the reports of several
// packages. The page of a browser is package htmlreport's.
//
// # One order for two formats
//
// Markdown and Text say the same in the same order: how the repair ended, the
// failures with an interleaving each, the fixes, best first, what was rejected,
// the search. render.go has that order and words.go the sentences. Both know
// only a renderer, of which markdown.go and terminal.go are one each.
//
// # Text of others
//
// Source, messages of tests, names of files and of goroutines may hold anything.
// Each writer makes it harmless in its own way: Markdown escapes punctuation,
// ends no code block before its time and addresses nobody; the terminal gets no
// control character; annotations are escaped as workflow commands ask for, and
// the message of a patch holds no line that git would take for a diff.
package textreport
