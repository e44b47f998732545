package core

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel/internal/bench/identity"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
)

// open makes the report, or goes on with the one that was saved before.
func (r *evaluation) open(machine tables.Machine, subjects []subject.Subject) error {
	if err := r.load(); err != nil {
		return err
	}
	if r.report == nil {
		r.report = &report{Machine: machine, Limit: r.Limit.String(), Workers: r.Workers, Until: r.Until}
	}
	if r.From == "" {
		r.report.Command = r.Command
	}
	if err := r.belongs(machine); err != nil {
		return err
	}
	for _, s := range subjects {
		cs, err := r.enter(s)
		if err != nil {
			return err
		}
		if cs != nil {
			r.subjects = append(r.subjects, cs)
		}
	}
	if r.From != "" && len(r.subjects) == 0 {
		return fmt.Errorf("--verify-only: %s has no subject as it is below %s", r.From, r.Dir)
	}
	return nil
}

// load reads the earlier report, if there is one.
func (r *evaluation) load() (err error) {
	if r.saved, err = fileID(r.file()); err != nil {
		return err
	}
	name := cmp.Or(r.From, r.file())
	if name == "" {
		return nil
	}
	if r.report, err = readReport(name); err != nil {
		return err
	}
	if r.From == "" {
		return nil
	}
	if r.report == nil {
		return fmt.Errorf("--verify-only: there is no %s", r.From)
	}
	id, err := fileID(r.From)
	if err != nil {
		return err
	}
	if r.saved != "" && r.saved != id {
		return fmt.Errorf("--out: %s has other results than %s; choose another directory", r.file(), r.From)
	}
	return nil
}

// file is where the report is saved; "": nowhere.
func (r *evaluation) file() string {
	if r.Out == "" {
		return ""
	}
	return filepath.Join(r.Out, reportName+".json")
}

// save saves the report. why says why it is not complete; nil: it is.
func (r *evaluation) save(why error) error {
	if r.Out == "" {
		return nil
	}
	if err := r.guard(); err != nil {
		return err
	}
	if err := r.files().Save(r.report, why); err != nil {
		return err
	}
	var err error
	r.saved, err = fileID(r.file())
	return err
}

// guard refuses to write over what another process has saved meanwhile.
func (r *evaluation) guard() error {
	id, err := fileID(r.file())
	if err == nil && id != r.saved {
		err = fmt.Errorf("%s was changed by another process meanwhile; give each its own directory with --out", r.file())
	}
	return err
}

// fileID names the content of a file; "" if there is none.
func fileID(name string) (string, error) {
	data, err := os.ReadFile(name)
	if name == "" || errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read earlier results: %w", err)
	}
	return identity.Content(data), nil
}

// belongs refuses to add to results that were made under other conditions: a
// mean over both would be of nothing.
func (r *evaluation) belongs(machine tables.Machine) error {
	if r.From != "" {
		return nil // no repair is timed
	}
	old := r.report
	const other = "use the same flag, or another directory with --out"
	if old.Limit != r.Limit.String() {
		return fmt.Errorf("the results in %s were made with --budget %s, not %v; %s", r.Out, old.Limit, r.Limit, other)
	}
	if old.Until != r.Until {
		return fmt.Errorf("the results in %s were made with --until %q, not %q; %s", r.Out, old.Until, r.Until, other)
	}
	if old.Workers != r.Workers {
		return fmt.Errorf("the results in %s were made with --workers %d, not %d; %s", r.Out, old.Workers, r.Workers, other)
	}
	if r.Mix {
		return nil
	}
	const mix = "use another directory with --out, or --mix to add to them all the same"
	if old.Machine != machine {
		return fmt.Errorf("the results in %s were made on another machine (%s), this is %s; %s", r.Out, old.Machine, machine, mix)
	}
	for _, v := range old.versions() {
		if v != r.version {
			return fmt.Errorf("the results in %s were made by another version of Mendel (source %s), this is %s; %s", r.Out, v, r.version, mix)
		}
	}
	return nil
}

// enter finds a subject in the report or adds it. It drops what is known of a
// subject whose source has changed since. Where nothing is to be repaired, it
// returns nil for a subject that has no trials or has changed.
func (r *evaluation) enter(s subject.Subject) (*subjectReport, error) {
	source, err := identity.Module(s.Dir)
	if err != nil {
		return nil, err
	}
	known := r.report.subject(s.Name)
	changed := known != nil && known.Source != source
	switch {
	case r.From != "" && changed:
		fmt.Fprintf(r.log, "%s has changed since it was repaired: not verified\n", s.Name)
		return nil, nil
	case r.From != "" && (known == nil || len(known.Trials) == 0):
		return nil, nil
	case changed:
		fmt.Fprintf(r.log, "%s has changed: its %d earlier trials are dropped\n", s.Name, len(known.Trials))
		*known = subjectReport{}
	}
	if known == nil {
		known = &subjectReport{Subject: s}
		r.report.Subjects = append(r.report.Subjects, known)
		slices.SortStableFunc(r.report.Subjects, func(a, b *subjectReport) int { return strings.Compare(a.Subject.Name, b.Subject.Name) })
	}
	known.Subject, known.Source = s, source
	return known, nil
}
