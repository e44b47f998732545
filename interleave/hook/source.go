package hook

import (
	"embed"
	"strings"
)

//go:embed *.go
var files embed.FS

// Source is the text of this package for a build, by name of file, with atomic.go
// replaced and without what only Mendel needs.
func Source() map[string][]byte {
	source := map[string][]byte{}
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // embedded
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasSuffix(name, "_test.go") || name == "source.go" {
			continue
		}
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		if name == "atomic.go" {
			text = []byte(AtomicSource)
		}
		source[name] = text
	}
	return source
}
