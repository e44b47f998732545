package checker

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// maxAnswers bounds what is read of a process's answers, in bytes. The trace of a replay
// of 200,000 steps has some 70 MB.
const maxAnswers = 160 << 20

// answers reads the answers of a process as they come. The process may write
// anything: a line that is no answer is noted and skipped.
type answers struct {
	file  *os.File
	parse func(line []byte) (wire.Answer, error)
	got   func(wire.Answer) // called for each answer

	buf   []byte // for what is read next
	read  int64
	line  []byte // begun, not yet ended
	wrong string // the first thing that was no answer; ""
	full  bool   // maxAnswers reached; no more is read
}

// poll takes in what was written since the last call.
func (a *answers) poll() error {
	if a.buf == nil {
		a.buf = make([]byte, 64<<10)
	}
	for a.read < maxAnswers {
		n, err := a.file.Read(a.buf)
		a.read += int64(n)
		a.take(a.buf[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the answers of a test process: %w", err)
		}
	}
	a.refuse("there is no end to it")
	a.line, a.full = nil, true
	return nil
}

func (a *answers) take(text []byte) {
	for {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		a.line = append(a.line, line...)
		if !ended {
			return
		}
		a.answer(a.line)
		a.line, text = a.line[:0], rest
	}
}

// answer takes a whole line.
func (a *answers) answer(line []byte) {
	m, err := a.parse(line)
	if err != nil {
		a.refuse(err.Error())
		return
	}
	if m.Test != nil {
		switch m.Test.Verdict {
		case explore.Failed, explore.Exhausted, explore.Covered, explore.Passed, explore.Inconclusive:
		default:
			a.refuse(fmt.Sprintf("%q is no verdict", m.Test.Verdict))
			return
		}
	}
	a.got(m)
}

func (a *answers) refuse(why string) {
	if a.wrong == "" {
		a.wrong = why
	}
}
