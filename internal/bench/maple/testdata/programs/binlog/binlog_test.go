package binlog

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestInsert(t *testing.T) {
	s := &Server{}
	s.open.Store(true)
	work.Both(s.Flush, s.Insert)
	if s.rows != s.logged {
		t.Errorf("%d rows, %d logged", s.rows, s.logged)
	}
}
