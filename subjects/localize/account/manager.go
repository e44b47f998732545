package account

import "sync"

// A Manager runs the bank.
type Manager struct {
	accounts []*Account
	mu       sync.Mutex // guards served
	served   int
}

// NewManager opens accounts with 100 each.
func NewManager(names ...string) *Manager {
	m := &Manager{}
	for _, n := range names {
		m.accounts = append(m.accounts, New(n, 100))
	}
	return m
}

// Serve lets all customers act at the same time, each on their own account and
// the next one.
func (m *Manager) Serve() {
	var wg sync.WaitGroup
	for i, a := range m.accounts {
		next := m.accounts[(i+1)%len(m.accounts)]
		wg.Go(func() {
			a.Deposit(300)
			a.Withdraw(100)
			a.Transfer(next, 99)
			m.mu.Lock()
			m.served++
			m.mu.Unlock()
		})
	}
	wg.Wait()
}

// Total is the money of all accounts.
func (m *Manager) Total() (sum float64) {
	for _, a := range m.accounts {
		sum += a.Amount()
	}
	return sum
}

// Served is how many customers were served.
func (m *Manager) Served() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.served
}
