// Package textreport writes the report of a repair, its [dossier.Dossier], in
// every format but HTML.
//
//   - [Markdown] is a page for a code host, report.md.
//   - [Text] is the same for the terminal, with colours on request.
//   - [Patch] is one fix as a mail, for git am and git apply.
//   - [SARIF] has failures with their positions and executions, and fixes, for
//     code scanning services and editors (version 2.1.0).
//   - [GitHub] has failures and fixes as annotations of a workflow run.
//
// [MarkdownContents] and [TextContents] list the packages of a repair of several,
// before the report of each. For example:
//
//	d, err := dossier.Read("mendel-out")
//	if err != nil {
//		return err
//	}
//	return textreport.Markdown(os.Stdout, d)
//
// # One text, two renderers
//
// Markdown and Text say the same in the same order: how the repair ended, the
// failures with an interleaving each, the fixes, best first, the rejected
// candidates, the search. render.go has that order and words.go the sentences.
// Both know only the interface renderer; markdown.go and terminal.go implement
// it.
//
// # Untrusted text
//
// Source, messages of tests, and names of files and goroutines may hold anything.
// Each writer makes them harmless in its own way. Markdown escapes punctuation,
// lets no line end a code block early, and mentions nobody. The terminal gets no
// control character. Annotations are escaped as workflow commands require. The
// message of a patch has no line that git would take for a diff.
package textreport
