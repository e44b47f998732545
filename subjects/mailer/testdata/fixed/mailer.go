// Package mailer sends messages by one connection to a mail server, which is
// made when it is first needed.
package mailer

import "sync"

// A Dialer connects to a mail server.
type Dialer interface {
	Dial(host string) *Conn
}

// A Mailer may be used by many goroutines.
type Mailer struct {
	host   string
	dialer Dialer

	once sync.Once // makes conn
	conn *Conn     // nil until it is needed
}

// New makes a mailer, which does not connect yet.
func New(host string, d Dialer) *Mailer {
	return &Mailer{host: host, dialer: d}
}

// Host is the name of the server.
func (m *Mailer) Host() string { return m.host }

// connect makes the connection.
func (m *Mailer) connect() { m.conn = m.dialer.Dial(m.host) }

// Verify reports whether the server has a mailbox.
func (m *Mailer) Verify(address string) bool {
	m.once.Do(m.connect)
	return m.conn.verify(address) == nil
}

// Send sends a message to each address and returns the first error.
func (m *Mailer) Send(text string, addresses ...string) error {
	m.once.Do(m.connect)
	for _, a := range addresses {
		if err := m.conn.deliver(a, text); err != nil {
			return err
		}
	}
	return nil
}
