package hook

import "embed"

// Source is the text of this package, for a build: that has [AtomicSource] in place of
// atomic.go, and not this file.
//
//go:embed *.go
var Source embed.FS
