// Package rewrite has what all that rewrites source texts needs, be it for the model
// checker, for noise or for coverage of interleavings: replacements in a text ([Edits])
// and in a source file ([File]), names that are free ([FreeName]), the tokens of a text
// ([Lexemes]), a version of the language that takes the result ([Raise]), and packages of
// Mendel's own that are compiled into the program under test ([Plant]).
//
// Texts are rewritten within their lines, so that positions stay those of the file on
// disk:
//
//	f := rewrite.NewFile(fset, syntax, source)
//	f.Insert(statement.Pos(), "zznoise.P(17); ")
//	f.Around(x.Pos(), x.End(), "*zzroot.R(3, &", ")")
//	text := f.Apply()
//
// Package schema, below, puts several rewritten programs into one.
package rewrite
