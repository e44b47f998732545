package mutatetest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// An archive is a golden archive taken apart: its input and what it asks for.
type archive struct {
	comment    string
	input      []txtar.File
	shared     []string // variables used concurrently
	concurrent []string // functions used concurrently
	races      []int    // lines of the first file that race reports name
	only       []string // functions whose edits are wanted; empty: all
	forms      []string // forms of the edits wanted; empty: all
	sets       [][]int  // sets of edits to apply together, by number
}

var (
	directive = regexp.MustCompile(`^([a-z]+):\s*(.*)$`)
	generated = regexp.MustCompile(`^edits? \d+(\+\d+)*(/|$)`)
)

// parseArchive reads an archive and leaves out what earlier runs generated.
func parseArchive(data []byte) (*archive, error) {
	ar := txtar.Parse(data)
	a := &archive{comment: string(ar.Comment)}
	for _, f := range ar.Files {
		if !generated.MatchString(f.Name) {
			a.input = append(a.input, f)
		}
	}
	for line := range strings.Lines(a.comment) {
		m := directive.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		words := strings.Fields(m[2])
		switch m[1] {
		case "shared":
			a.shared = append(a.shared, words...)
		case "concurrent":
			a.concurrent = append(a.concurrent, words...)
		case "races":
			lines, err := numbers(words)
			if err != nil {
				return nil, err
			}
			a.races = append(a.races, lines...)
		case "only":
			a.only = append(a.only, words...)
		case "forms":
			a.forms = append(a.forms, words...)
		case "set":
			set, err := numbers(words)
			if err != nil {
				return nil, err
			}
			a.sets = append(a.sets, set)
		default:
			return nil, fmt.Errorf("%q is no directive; there are shared, concurrent, races, only, forms and set", m[1])
		}
	}
	return a, nil
}

func numbers(words []string) ([]int, error) {
	var out []int
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not the number of an edit or a line", w)
		}
		out = append(out, n)
	}
	return out, nil
}

// file returns an input file's text as it is on disk.
func (a *archive) file(name string) []byte {
	i := slices.IndexFunc(a.input, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return a.input[i].Data
}
