package importer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// errMalformed is what a line is refused for.
var errMalformed = errors.New("malformed record")

// A Record is a line of a file: an article and how many there are.
type Record struct {
	Article string
	Stock   int
}

// parse reads a line such as "lamp;12".
func parse(line string) (Record, error) {
	article, stock, ok := strings.Cut(line, ";")
	n, err := strconv.Atoi(strings.TrimSpace(stock))
	if !ok || err != nil || article == "" {
		return Record{}, fmt.Errorf("%q: %w", line, errMalformed)
	}
	return Record{Article: strings.TrimSpace(article), Stock: n}, nil
}
