// Package enumeration loads large programs without their tests, and measures what
// it takes to analyse them and to enumerate their edits.
//
// A Source says where a program comes from: a directory, the standard library, or
// a module at an exact version, which the go command fetches. Measure loads it,
// takes all of it or what the static analysis finds as used concurrently,
// enumerates the edits that a search begins with, and enumerates again after a failure
// has named what was not known; All enumerates those that are left. Times are of the processor, of this process and
// the go command it starts, so that other work on the machine counts little. The digest of the edits
// tells whether two revisions of Mendel find the same ones.
//
//	s := enumeration.Source{Module: "github.com/nats-io/nats-server/v2", Version: "v2.10.18", Package: "./server"}
//	p, err := s.Load(ctx, dir)
//	m, err := enumeration.Measure(ctx, p, enumeration.Everything, 1, nil)
//	err = m.All()
//	fmt.Println(m.First, m.Enumerate, m.Edits, m.Rest)
package enumeration
