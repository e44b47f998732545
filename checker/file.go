package checker

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker/sched"
	"mendel/checker/wire"
	"mendel/internal/gotool"
)

// A File is a failing schedule as it is stored: with all that is needed to build
// the program again, and to see whether it has changed. As text it is a
// sched.Schedule with these fields in its header.
type File struct {
	Version    string   // of Mendel
	Module     string   // module path
	Dir        string   // of the module, absolute
	Package    string   // import path
	Flags      []string // build flags
	Instrument []string // see Config.Instrument
	Test       string
	Kind       evidence.Kind
	Signature  string
	Message    string
	Strategy   string      // that found it
	Seed       uint64      // of the strategy
	Source     string      // hash of the module's source files that the test depends on
	Start      wire.Moment // of the execution by the virtual clock; 0: the present
	After      bool        // the tests before it are run first
	Races      string      // that the execution was continued behind, see Schedule
	Scale      int         // the tests' loops go round so many times less often, see package rounds; 0: they do not
	Choices    []sched.Choice
}

// File is the schedule of one of the binary's failures, to be kept.
func (b *Binary) File(f Failure) (*File, error) {
	choices, err := sched.ParseChoices(f.Schedule.Choices)
	if err != nil {
		return nil, fmt.Errorf("schedule of %s: %w", f.Test, err)
	}
	c := b.checker.c
	return &File{
		Version:    version(),
		Module:     c.Program.ModulePath(),
		Dir:        c.Program.Module,
		Package:    packagePath(c.Program.Packages[0]),
		Flags:      c.Flags,
		Instrument: c.Instrument,
		Test:       f.Schedule.Test,
		Kind:       f.Kind,
		Signature:  f.Signature,
		Message:    f.Message,
		Strategy:   f.Strategy,
		Seed:       f.Seed,
		Source:     hash(c.Program, b.files),
		Start:      f.Schedule.Start,
		After:      f.Schedule.After,
		Races:      f.Schedule.Races,
		Choices:    choices,
	}, nil
}

// packagePath is the import path of a package under test. Of external tests, the
// only ones where there is nothing else, it is that of what they test.
func packagePath(pkg *analysis.Package) string {
	external := strings.HasSuffix(pkg.Types.Name(), "_test") &&
		!slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool { return !f.Test })
	if external {
		return strings.TrimSuffix(pkg.Path, "_test")
	}
	return pkg.Path
}

// earlierTests is what the header after says.
const earlierTests = "the tests before it"

// Schedule is what Binary.Replay follows.
func (f *File) Schedule() Schedule {
	return Schedule{Test: f.Test, Choices: sched.FormatChoices(f.Choices), Start: f.Start, After: f.After, Races: f.Races}
}

// Target is what to load to replay the schedule.
func (f *File) Target() analysis.Target {
	return analysis.Target{Dir: f.Dir, Package: f.Package, Run: "^" + f.Test + "$", Flags: f.Flags, Instrument: f.Instrument}
}

// Same reports whether a program, with some files replaced, has the source that the
// schedule was made with. With other source the schedule may end differently, or not be
// possible.
func (f *File) Same(p *analysis.Program, files map[string][]byte) bool {
	return f.Source == hash(p, files)
}

// keys are the header's keys, with where their values are kept.
func (f *File) keys() map[string]*string {
	return map[string]*string{
		"mendel":    &f.Version,
		"module":    &f.Module,
		"directory": &f.Dir,
		"package":   &f.Package,
		"test":      &f.Test,
		"failure":   (*string)(&f.Kind),
		"signature": &f.Signature,
		"message":   &f.Message,
		"strategy":  &f.Strategy,
		"source":    &f.Source,
		"races":     &f.Races,
	}
}

// lists are those of the header's keys whose values are lists: quoted words.
func (f *File) lists() map[string]*[]string {
	return map[string]*[]string{"flags": &f.Flags, "instrument": &f.Instrument}
}

// String is the text of the file; what is empty is left out.
func (f *File) String() string {
	s := sched.Schedule{Header: map[string]string{"seed": strconv.FormatUint(f.Seed, 10)}, Choices: f.Choices}
	if f.Start != 0 {
		s.Header["start"] = f.Start.Time().UTC().Format(time.RFC3339Nano)
	}
	if f.Scale != 0 {
		s.Header["scale"] = strconv.Itoa(f.Scale)
	}
	if f.After {
		s.Header["after"] = earlierTests
	}
	for key, value := range f.keys() {
		if *value != "" {
			s.Header[key] = *value
		}
	}
	for key, words := range f.lists() {
		var quoted []string
		for _, w := range *words {
			quoted = append(quoted, strconv.Quote(w))
		}
		if len(quoted) > 0 {
			s.Header[key] = strings.Join(quoted, " ")
		}
	}
	return s.String()
}

// WriteSchedule writes a file, whole or not at all.
func WriteSchedule(name string, f *File) error {
	if err := gotool.WriteFile(name, []byte(f.String())); err != nil {
		return fmt.Errorf("write schedule: %w", err)
	}
	return nil
}

// ReadSchedule reads a file. An error names it and the line.
func ReadSchedule(name string) (*File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read schedule: %w", err)
	}
	f, err := ParseFile(string(text))
	if err != nil {
		return nil, fmt.Errorf("read schedule %s: %w", name, err)
	}
	return f, nil
}

// ParseFile reads the text of a file. Unknown keys are ignored. All keys may be
// missing except directory, package and test.
func ParseFile(text string) (*File, error) {
	s, err := sched.ParseSchedule(text)
	if err != nil {
		return nil, err
	}
	f := &File{Choices: s.Choices}
	for key, value := range f.keys() {
		*value = s.Header[key]
	}
	for key, words := range f.lists() {
		if *words, err = unquoteAll(s.Header[key]); err != nil {
			return nil, fmt.Errorf("header %s: %w", key, err)
		}
	}
	if seed, ok := s.Header["seed"]; ok {
		if f.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
			return nil, fmt.Errorf("header seed: %q is no number", seed)
		}
	}
	if text, ok := s.Header["start"]; ok {
		start, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return nil, fmt.Errorf("header start: %w", err)
		}
		f.Start = wire.At(start)
	}
	if scale, ok := s.Header["scale"]; ok {
		if f.Scale, err = strconv.Atoi(scale); err != nil || f.Scale < 2 {
			return nil, fmt.Errorf("header scale: %q is no number above 1", scale)
		}
	}
	f.After = s.Header["after"] == earlierTests
	if _, err := sched.ParseRaces(f.Races); err != nil {
		return nil, fmt.Errorf("header races: %w", err)
	}
	for _, key := range []string{"directory", "package", "test"} {
		if s.Header[key] == "" {
			return nil, fmt.Errorf("header %s is missing: without it the schedule cannot be replayed", key)
		}
	}
	return f, nil
}

func unquoteAll(text string) ([]string, error) {
	var words []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return nil, fmt.Errorf("want quoted words, have %s", text)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("want quoted words, have %s", text)
		}
		words = append(words, word)
		text = text[len(quoted):]
	}
	return words, nil
}

// hash is a hash of the names and contents of a program's files, some replaced.
func hash(p *analysis.Program, files map[string][]byte) string {
	var all []*analysis.File
	for _, pkg := range p.Packages {
		all = append(all, pkg.Files...)
	}
	slices.SortFunc(all, func(a, b *analysis.File) int { return strings.Compare(a.Rel, b.Rel) })
	h := sha256.New()
	for _, f := range all {
		text, ok := files[f.Name]
		if !ok {
			text = f.Source
		}
		fmt.Fprintf(h, "%q %d\n%s\n", f.Rel, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// version is Mendel's own, as far as its build has it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
