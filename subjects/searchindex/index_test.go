package searchindex

import (
	"slices"
	"testing"
)

var library = []Document{
	{"anchors", "An anchor holds."},
	{"boats", "A boat floats; an oar helps."},
	{"coasts", "A coast holds an anchor."},
}

func TestBuild(t *testing.T) {
	x := Build(library, 2)
	if x.Documents() != len(library) {
		t.Errorf("%d documents, want %d", x.Documents(), len(library))
	}
	for word, want := range map[string][]string{
		"an":     {"anchors", "boats", "coasts"},
		"anchor": {"anchors", "coasts"},
		"holds":  {"anchors", "coasts"},
		"oar":    {"boats"},
		"sea":    nil,
	} {
		if got := x.Find(word); !slices.Equal(got, want) {
			t.Errorf("%q is in %v, want %v", word, got, want)
		}
	}
}

// One may look for something while documents are added.
func TestFindMeanwhile(t *testing.T) {
	x := New()
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.Add(library[0])
	}()
	if got := x.Find("oar"); len(got) != 0 {
		t.Errorf("oar is in %v before that was added", got)
	}
	<-done
	if got := x.Find("anchor"); !slices.Equal(got, []string{"anchors"}) {
		t.Errorf("anchor is in %v", got)
	}
}

func TestWords(t *testing.T) {
	got := Document{Text: "To be, or not TO be"}.words()
	if want := []string{"be", "not", "or", "to"}; !slices.Equal(got, want) {
		t.Errorf("the words are %v, want %v", got, want)
	}
}
