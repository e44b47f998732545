// Package airline sells the seats of an aeroplane at several counters at once.
package airline

import (
	"crypto/sha256"
	"fmt"
)

// seatsPerRow is how many seats there are side by side.
const seatsPerRow = 4

// codeRounds is how often the code of a coupon is hashed, so that it takes long
// to find one by trying.
const codeRounds = 30

// A Ticket is one passenger's right to a seat.
type Ticket struct {
	Flight    string
	Passenger string
	Seat      string // "2C"
}

// Coupon is what a counter prints for the passenger. The code at its end shows
// the gate that it is genuine.
func (t Ticket) Coupon() string {
	text := fmt.Sprintf("%s  seat %s  %s", t.Flight, t.Seat, t.Passenger)
	code := sha256.Sum256([]byte(text))
	for range codeRounds {
		code = sha256.Sum256(code[:])
	}
	return fmt.Sprintf("%s  %x", text, code[:4])
}

// A Flight is an aeroplane with a fixed number of seats, which are sold from
// the front to the back.
type Flight struct {
	number   string
	capacity int

	sold      int
	stopSales bool // the last seat is sold
}

// NewFlight puts a flight on sale.
func NewFlight(number string, capacity int) *Flight {
	return &Flight{number: number, capacity: capacity, stopSales: capacity <= 0}
}

// Capacity is the number of seats in the aeroplane.
func (f *Flight) Capacity() int {
	return f.capacity
}

// Sold is the number of seats sold.
func (f *Flight) Sold() int {
	return f.sold
}

// SalesStopped reports whether the aeroplane is sold out.
func (f *Flight) SalesStopped() bool {
	return f.stopSales
}

// Sell sells the next seat. It returns false when the aeroplane is sold out.
func (f *Flight) Sell(passenger string) (Ticket, bool) {
	if f.stopSales {
		return Ticket{}, false
	}
	ticket := Ticket{Flight: f.number, Passenger: passenger, Seat: seat(f.sold)}
	f.sold++
	if f.sold == f.capacity {
		f.stopSales = true
	}
	return ticket, true
}

// seat names the seat with an index, counted from the front: 0 is "1A".
func seat(i int) string {
	return fmt.Sprintf("%d%c", i/seatsPerRow+1, 'A'+rune(i%seatsPerRow))
}
