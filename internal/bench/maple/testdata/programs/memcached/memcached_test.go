package memcached

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestIncr(t *testing.T) {
	c := &Cache{items: map[string]string{"n": "0"}}
	incr := func() { c.Incr("n", 1) }
	work.Both(incr, incr)
	if got := c.Get("n"); got != "2" {
		t.Errorf("n is %s", got)
	}
}
