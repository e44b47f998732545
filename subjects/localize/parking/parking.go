// Package parking controls the barriers of a car park with sensors that count cars
// and motorcycles, and bills for those who leave.
package parking

import "sync"

// Fees in cash.
const (
	carFee        = 2
	motorcycleFee = 1
)

// Cash is the money taken.
type Cash struct {
	mu   sync.Mutex // guards cash
	cash int
}

// Take adds a fee.
func (c *Cash) Take(fee int) {
	c.mu.Lock()
	c.cash += fee
	c.mu.Unlock()
}

// Close empties the till and returns what was in it.
func (c *Cash) Close() int {
	c.mu.Lock()
	total := c.cash
	c.cash = 0
	c.mu.Unlock()
	return total
}

// Stats count what is in the park.
type Stats struct {
	cash *Cash

	carsMu sync.Mutex // guards cars
	cars   int

	motorcyclesMu sync.Mutex // guards motorcycles
	motorcycles   int
}

// NewStats returns those of an empty park.
func NewStats(cash *Cash) *Stats { return &Stats{cash: cash} }

// CarIn counts a car that comes in.
func (s *Stats) CarIn() {
	s.carsMu.Lock()
	s.cars++
	s.carsMu.Unlock()
}

// CarOut counts a car that leaves and pays.
func (s *Stats) CarOut() {
	s.carsMu.Lock()
	s.cars--
	s.carsMu.Unlock()
	s.cash.Take(carFee)
}

// MotorcycleIn counts a motorcycle that comes in.
func (s *Stats) MotorcycleIn() {
	s.motorcyclesMu.Lock()
	s.motorcycles++
	s.motorcyclesMu.Unlock()
}

// MotorcycleOut counts a motorcycle that leaves and pays.
func (s *Stats) MotorcycleOut() {
	s.motorcyclesMu.Lock()
	s.motorcycles--
	s.motorcyclesMu.Unlock()
	s.cash.Take(motorcycleFee)
}

// Inside is how many of both there are.
func (s *Stats) Inside() (cars, motorcycles int) {
	s.carsMu.Lock()
	cars = s.cars
	s.carsMu.Unlock()
	s.motorcyclesMu.Lock()
	motorcycles = s.motorcycles
	s.motorcyclesMu.Unlock()
	return cars, motorcycles
}
