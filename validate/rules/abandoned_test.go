package rules

import (
	"strings"
	"testing"

	"mendel/mutate"
)

const trackSource = `package track

import "context"

func Track(ctx context.Context, ask func() string) string {
	found := make(chan string)
	go func() {
		found <- ask()
	}()
	select {
	case s := <-found:
		return s
	case <-ctx.Done():
		return ""
	}
}

func All(ask func() string) string {
	found := make(chan string)
	go func() {
		found <- ask()
	}()
	return <-found
}
`

// A message to a receiver that may have left stays in a channel that has got room. It is lost
// where the send is given up, and where the receiver always comes.
func TestAbandoned(t *testing.T) {
	p := load(t, trackSource)
	file := p.File("p.go")
	source := string(file.Source)
	for name, test := range map[string]struct {
		site          int
		old, new      string
		abandonedThen bool
	}{
		"room":            {6, "found := make(chan string)", "found := make(chan string, 1)", true},
		"a send given up": {6, "found <- ask()", "select {\n\tcase found <- ask():\n\tdefault:\n\t}", false},
		"always received": {19, "}\n\nfunc All(ask func() string) string {\n\tfound := make(chan string)", "}\n\nfunc All(ask func() string) string {\n\tfound := make(chan string, 1)", false},
	} {
		m := &mutate.Mutant{Files: map[string][]byte{file.Name: []byte(strings.Replace(source, test.old, test.new, 1))}}
		if got := (guided{p, m}).abandoned(channelSite{line{file.Name, test.site}, "string"}); got != test.abandonedThen {
			t.Errorf("%s: %t", name, got)
		}
	}
}
