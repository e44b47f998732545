// Package rewrite has what all that rewrites source texts needs, be it for the model
// checker, for noise or for coverage of interleavings: replacements in a text ([Edits]),
// names that are free ([FreeName]), the tokens of a text ([Lexemes]), and packages of
// Mendel's own that are compiled into the program under test ([Plant]).
//
// Texts are rewritten within their lines, so that positions stay those of the file on
// disk:
//
//	e := rewrite.Edits{Text: source}
//	e.Replace(at, at, "zznoise.P(17); ")
//	text := e.Apply()
//
// Package schema, below, puts several rewritten programs into one.
package rewrite
