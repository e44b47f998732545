package hostile

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"mendel/internal/bench/tables"
)

// table is a line for each case.
func (r *report) table() *tables.Table {
	t := &tables.Table{Header: []string{"way", "program", "ended", "after", "limit", "memory", "left", "stall"}}
	for _, c := range r.Cases {
		left := "nothing"
		if c.Processes > 0 || len(c.Files) > 0 {
			left = fmt.Sprintf("%d processes, %d files", c.Processes, len(c.Files))
		}
		t.Add(c.Path, strings.TrimPrefix(c.Name, "Test"), c.Ended,
			fmt.Sprintf("%.1f s", c.Seconds), fmt.Sprintf("%.0f s", c.Limit), c.peakWords(),
			left, fmt.Sprintf("%.0f ms", c.Stall*1000))
	}
	return t
}

// peakWords is the most memory, "-" where it was not measured.
func (c *outcome) peakWords() string {
	if c.Peak == 0 {
		return "-"
	}
	return fmt.Sprintf("%d MiB", c.Peak>>20)
}

// Write implements document.
func (r *report) Write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, "%s, as %s; for each run %d MiB of memory and %d MiB of temporary files.\n\n", r.Machine, r.User, r.Memory>>20, r.Disk>>20); err != nil {
		return err
	}
	if err := r.table().Render(w, markdown); err != nil {
		return err
	}
	var late, stall float64
	var most int64
	bad := 0
	for _, c := range r.Cases {
		late, stall, most = max(late, c.Seconds-c.Limit), max(stall, c.Stall), max(most, c.Peak-r.Memory)
		bad += min(len(c.Problems), 1)
	}
	_, err := fmt.Fprintf(w, "\n%d cases, %s not as they should be. At most %.1f s and %d MiB over a limit, %.2f s without a processor.\n",
		len(r.Cases), cmp.Or(fmt.Sprint(bad), "0"), late, most>>20, stall)
	return err
}
