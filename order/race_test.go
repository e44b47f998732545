//go:build race

package order_test

const raceEnabled = true
