package readerswriters

// A Pool is a number of records that always belong to the same version. It may
// be used by several goroutines.
type Pool struct {
	monitor *monitor
	records []int
	writes  int
}

// NewPool makes a pool with n records of version 0.
func NewPool(n int) *Pool {
	return &Pool{monitor: newMonitor(), records: make([]int, n)}
}

// Read returns a copy of the records.
func (p *Pool) Read() []int {
	p.monitor.beforeRead()
	defer p.monitor.afterRead()
	records := make([]int, len(p.records))
	copy(records, p.records)
	return records
}

// Sum adds up the records.
func (p *Pool) Sum() int {
	p.monitor.beforeRead()
	defer p.monitor.afterRead()
	sum := 0
	for _, r := range p.records {
		sum += r
	}
	return sum
}

// Update replaces all records by those of the next version, which it returns.
func (p *Pool) Update() int {
	p.monitor.beforeWrite()
	defer p.monitor.afterWrite()
	p.writes++
	for i := range p.records {
		p.records[i] = p.writes
	}
	return p.writes
}

// Idle reports whether nobody uses the pool.
func (p *Pool) Idle() bool {
	return p.monitor.idle()
}
