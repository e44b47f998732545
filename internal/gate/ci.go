package gate

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"path/filepath"

	"mendel/internal/check"
	"mendel/internal/dossier"
	"mendel/internal/gotool"
	"mendel/internal/report"
	"mendel/internal/report/textreport"
	"mendel/internal/result"
)

// The files that CI systems read.
const (
	junitName = "junit.xml"
	sarifName = "failures.sarif"
)

// saveForCI writes the tests as JUnit's XML, and the new failures as SARIF.
func (s *Summary) saveForCI(dir string) error {
	data, err := s.junit()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(dir, junitName), data); err != nil {
		return fmt.Errorf("save the tests for CI: %w", err)
	}
	var b bytes.Buffer
	if err := textreport.SARIF(&b, s.Module, s.dossiers()...); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	if err := gotool.WriteFile(filepath.Join(dir, sarifName), b.Bytes()); err != nil {
		return fmt.Errorf("save the failures for CI: %w", err)
	}
	return nil
}

// dossiers are the new failures, a dossier for each package that has one.
func (s *Summary) dossiers() (all []*dossier.Dossier) {
	for _, p := range s.Packages {
		d := &dossier.Dossier{Version: dossier.Version, Dir: s.Module, Package: p.Path, Status: string(result.NotFixed)}
		for _, f := range p.fresh() {
			told := dossier.FailureRecord{Kind: f.Kind, Message: f.Message, Signature: f.Signature, Test: f.Test, Diagnosed: f.Diagnosed}
			for _, at := range f.Places {
				if at.File != "" {
					told.Places = append(told.Places, dossier.Place{What: at.Operation, Func: at.Function, File: result.FromModule(s.Module, at.File), Line: at.Line})
				}
			}
			d.Failures = append(d.Failures, told)
		}
		if len(d.Failures) > 0 {
			all = append(all, d)
		}
	}
	return all
}

// The form that CI systems know from JUnit.
type (
	suites struct {
		XMLName xml.Name `xml:"testsuites"`
		suiteCounts
		Suites []suite `xml:"testsuite"`
	}
	suiteCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	suite struct {
		Name string `xml:"name,attr"`
		suiteCounts
		Time  string     `xml:"time,attr"`
		Cases []testcase `xml:"testcase"`
	}
	testcase struct {
		Name      string `xml:"name,attr"`
		Classname string `xml:"classname,attr"`
		Failure   *cause `xml:"failure"` // the first; its text has all
		Error     *cause `xml:"error"`
		Skipped   *cause `xml:"skipped"`
	}
	cause struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// junit has a suite for each package with a case for each test. What is known is skipped.
func (s *Summary) junit() ([]byte, error) {
	var all suites
	for _, p := range s.Packages {
		one := suite{Name: p.Path, Time: fmt.Sprintf("%.3f", p.Seconds)}
		for _, t := range p.Tests {
			one.add(p.testcase(t))
		}
		if p.Verdict == check.Error {
			one.add(testcase{Name: "the package", Classname: p.Path, Error: &cause{Message: report.OneLine(p.Reason)}})
		} else if len(p.Tests) == 0 {
			one.add(testcase{Name: "the package", Classname: p.Path, Skipped: &cause{Message: report.OneLine(p.Reason)}})
		}
		all.Tests, all.Failures = all.Tests+one.Tests, all.Failures+one.Failures
		all.Errors, all.Skipped = all.Errors+one.Errors, all.Skipped+one.Skipped
		all.Suites = append(all.Suites, one)
	}
	data, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write JUnit's XML: %w", err)
	}
	return append([]byte(xml.Header), append(data, '\n')...), nil
}

// add adds a case and counts it.
func (s *suite) add(t testcase) {
	s.Tests++
	switch {
	case t.Failure != nil:
		s.Failures++
	case t.Error != nil:
		s.Errors++
	case t.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, t)
}

// testcase is what became of a test.
func (p Package) testcase(t check.Test) testcase {
	told := testcase{Name: t.Name, Classname: p.Path}
	known, only := "", ""
	for _, f := range p.Failures {
		if f.Test != t.Name {
			continue
		}
		switch {
		case f.Baseline:
			known = f.Message
			continue
		case f.told() != "":
			only = f.told() + ": " + f.Message
			continue
		}
		if told.Failure == nil {
			told.Failure = &cause{Message: report.OneLine(f.Message), Type: string(f.Kind)}
		}
		told.Failure.Text += places(f)
	}
	switch {
	case told.Failure != nil:
	case known != "":
		told.Skipped = &cause{Message: "known: " + report.OneLine(known)}
	case only != "":
		told.Skipped = &cause{Message: report.OneLine(only)}
	case t.Skipped || t.Verdict == check.Inconclusive:
		told.Skipped = &cause{Message: report.OneLine(t.Reason)}
	}
	return told
}

// places are where a failure was, a line each.
func places(f Failure) string {
	text := report.OneLine(f.Message) + "\n"
	for _, at := range f.Places {
		text += fmt.Sprintf("%s %s %s:%d\n", at.Operation, at.Function, at.File, at.Line)
	}
	if f.Schedule != "" {
		text += "schedule: " + f.Schedule + "\n"
	}
	return text
}
