// Package metrics counts what a server does, and reports it.
package metrics

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// A Collector counts requests. It is told of them by all who serve them.
type Collector struct {
	requests atomic.Int64 // all
	failures atomic.Int64 // those with an error
	bytes    atomic.Int64 // sent in answer
}

// Record counts a request that was answered with n bytes, or failed.
func (c *Collector) Record(n int, err error) {
	c.requests.Add(1)
	if err != nil {
		c.failures.Add(1)
		return
	}
	c.bytes.Add(int64(n))
}

// Requests is the number of requests so far.
func (c *Collector) Requests() int64 { return c.requests.Load() }

// Failures is the number of requests that failed.
func (c *Collector) Failures() int64 { return c.failures.Load() }

// Bytes is what has been sent.
func (c *Collector) Bytes() int64 { return c.bytes.Load() }

// Report writes the counts in the form that monitoring reads, one a line.
func (c *Collector) Report() string {
	var b strings.Builder
	for _, line := range []struct {
		name  string
		value int64
	}{
		{"requests_total", c.Requests()},
		{"failures_total", c.Failures()},
		{"sent_bytes_total", c.Bytes()},
	} {
		fmt.Fprintf(&b, "%s %d\n", line.name, line.value)
	}
	return b.String()
}
