package symbol

import _ "embed"

// Source is the text of symbol.go, for builds that compile it into a program.
//
//go:embed symbol.go
var Source string
