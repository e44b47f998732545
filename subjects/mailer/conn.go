package mailer

import (
	"errors"
	"fmt"
	"strings"
)

// errRefused is the answer of a server that knows no such mailbox.
var errRefused = errors.New("mailbox unavailable")

// A Conn is a connection to a mail server.
type Conn struct {
	host  string
	limit int // bytes of a message
}

// verify asks the server for a mailbox.
func (c *Conn) verify(address string) error {
	if _, domain, ok := strings.Cut(address, "@"); !ok || domain != c.host {
		return fmt.Errorf("%s at %s: %w", address, c.host, errRefused)
	}
	return nil
}

// deliver hands a message to the server.
func (c *Conn) deliver(address, text string) error {
	if len(text) > c.limit {
		return fmt.Errorf("message of %d bytes: %s takes no more than %d", len(text), c.host, c.limit)
	}
	return c.verify(address)
}
