package core

import "mendel/internal/bench/tables"

// long is from how many mutants on a search counts in carriedTable.
const long = 11

// carriedTable has a line for each subject and arm with searches of more than ten mutants:
// which share of their schedules was not made, because those of other programs count for
// them, or others of the same. It is empty if there are none. Schedules of the original count as made.
func (r *report) carriedTable() *tables.Table {
	t := &tables.Table{Header: []string{"arm", "subject", "searches", "mutants", "schedules", "taken over", "repeated", "share", "median share of subjects"}}
	for _, name := range r.arms() {
		var shares []float64
		first := len(t.Rows)
		for _, s := range r.Subjects {
			n, mutants, made, carried, repeated := 0, 0, 0, 0, 0
			for _, one := range s.of(name) {
				if one.Search.Evaluations >= long {
					n++
					mutants += one.Search.Evaluations
					made += one.Search.Schedules
					carried += one.Search.Carried
					repeated += one.Search.Repeated
				}
			}
			all := made + carried + repeated
			if all == made { // too few mutants, or each from scratch
				continue
			}
			share := float64(carried+repeated) / float64(all)
			shares = append(shares, share)
			t.Add(name, s.Subject.Name, n, mutants, all, carried, repeated, tables.Percent(share), "")
		}
		if len(t.Rows) > first {
			last := t.Rows[len(t.Rows)-1]
			last[len(last)-1] = tables.Percent(tables.Median(shares))
		}
	}
	return t
}
