package evidence

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf16"
)

// A Named failure is one from a text that somebody has kept.
type Named struct {
	Failure
	Package string // import path of the package whose tests printed it; "" where the text does not say so
}

// Read finds every failure in what somebody has kept: the output of go test,
// also with -json and of several packages, a race report, a panic, a goroutine
// dump, a goroutine or goroutineleak profile as text or binary, the report of
// go.uber.org/goleak. It removes colours and the prefixes that containers and build
// services put before each line, and unpacks gzip.
//
// The order is that of [Parse], package by package. If it recognises nothing, it
// returns nil. An error names the kind of a file that cannot show a failure.
func Read(data []byte) ([]Named, error) {
	data, err := unzip(data)
	if err != nil {
		return nil, err
	}
	if isProfile(data) {
		return readProfile(data)
	}
	var found []Named
	seen := make(map[string]bool)
	for _, s := range sections(undecorate(bound(decoded(data)))) {
		for _, f := range parse(s.text) {
			if key := s.pkg + " " + f.Signature; !seen[key] {
				seen[key] = true
				found = append(found, Named{f, s.pkg})
			}
		}
	}
	return found, nil
}

// unzip unpacks what is compressed, as far as it may be read.
func unzip(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxText))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return plain, nil
}

// isProfile reports whether a file is a binary profile: it begins with the types of
// its samples, or the type of its period, and has bytes that no text has.
func isProfile(data []byte) bool {
	head := data[:min(len(data), 64)]
	return len(head) > 1 && (head[0] == profileSampleType<<3|2 || head[0] == 11<<3|2) && bytes.ContainsAny(head, "\x01\x02\x08")
}

func readProfile(data []byte) ([]Named, error) {
	p, err := parseProfile(data)
	if err != nil {
		return nil, err
	}
	f, ok, err := p.failure()
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, errors.New("no goroutine of the profile is blocked for certain; a goroutine profile with debug=2 (/debug/pprof/goroutine?debug=2), or a goroutineleak profile, tells more")
	}
	return []Named{{Failure: f}}, nil
}

// decoded is a text as UTF-8: PowerShell writes files in UTF-16.
func decoded(data []byte) []byte {
	var order func(a, b byte) uint16
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = func(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = func(a, b byte) uint16 { return uint16(b) | uint16(a)<<8 }
	default:
		return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	}
	data = data[2:min(len(data), 2*maxText)]
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order(data[2*i], data[2*i+1])
	}
	return []byte(string(utf16.Decode(units)))
}

// packageLine is what go test says of a package at the end of its output.
var packageLine = regexp.MustCompile(`^(?:FAIL|ok  |\?   )\t(\S+)(?:\t| \[|$)`)

// sections splits a text into what the tests of each package printed.
func sections(text string) []section {
	if packed(text) {
		all := events(text)
		for i := range all {
			all[i].text = undecorate(all[i].text)
		}
		return all
	}
	var all []section
	from, at := 0, 0
	for at < len(text) {
		line, _, _ := strings.Cut(text[at:], "\n")
		at = min(at+len(line)+1, len(text))
		if m := packageLine.FindStringSubmatch(line); m != nil {
			all = append(all, section{m[1], text[from:at]})
			from = at
		}
	}
	return append(all, section{"", text[from:]})
}

// packed reports whether a text is the output of go test -json; lines of the go
// command may precede it.
func packed(text string) bool {
	for {
		at := strings.Index(text, actionKey)
		if at < 0 {
			return false
		}
		if strings.HasPrefix(text[strings.LastIndexByte(text[:at], '\n')+1:], "{") {
			return true
		}
		_, text, _ = strings.Cut(text[at:], "\n")
	}
}
