package taken_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/taken"
)

const desk = `package desk

import (
	"context"
	"errors"
)

type Desk struct {
	slots chan struct{}
	hook  func(int) error
}

type Seat struct{ d *Desk }

func (s *Seat) Leave() { <-s.d.slots }

// Sit loses its slot when the hook refuses.
func (d *Desk) Sit(ctx context.Context, n int) (*Seat, error) {
	select {
	case d.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err() // it has taken nothing
	}
	if err := d.hook(n); err != nil {
		return nil, err
	}
	if n > 10 {
		<-d.slots
		return nil, errors.New("full")
	}
	return &Seat{d}, nil
}

// Visit loses its slot when the hook panics.
func (d *Desk) Visit(n int) error {
	d.slots <- struct{}{}
	err := d.hook(n)
	<-d.slots
	return err
}

// Pass gives it back whatever happens.
func (d *Desk) Pass(n int) error {
	d.slots <- struct{}{}
	defer func() { <-d.slots }()
	return d.hook(n)
}

// A port has methods that are named like what is done with channels.
type port struct{}

func (port) send(int) error        { return nil }
func (port) receive() (int, error) { return 0, nil }
func (port) count()                {}

func talk(p port, n int) error {
	if err := p.send(n); err != nil {
		return err
	}
	err := p.send(n)
	_, err = p.receive()
	p.count()
	return err
}
`

// What is lost on a way out that fails, and what a panic of others' code loses.
func TestTaken(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/desk\n\ngo 1.25\n", "desk.go": desk} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range taken.Losses(p.Packages) {
		got = append(got, fmt.Sprintf("%s:%d loses, %s gives it back", l.Func, p.Fset.Position(l.At.Pos()).Line, l.Give))
	}
	for _, r := range taken.Risks(p.Packages) {
		got = append(got, fmt.Sprintf("%s:%d may panic", r.Func, p.Fset.Position(r.Call.Pos()).Line))
	}
	want := "(*Desk).Sit:25 loses, <-d.slots gives it back\n(*Desk).Visit:37 may panic"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
