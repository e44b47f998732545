package localize

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A variant is a program of CFLASH's evaluation with a seeded fault, and what CFLASH
// achieved there.
type variant struct {
	program, name string
	file          string
	old, new      string // the first occurrence after what is given as in
	in            string // a part of the function's head
	fault         string // lines of new or of what follows it: the section
	theirs        int    // distance of CFLASH, in statements
}

// variants are those of the thesis, table 4.4. The thesis names the operators, not the
// places; these are ours.
var variants = []variant{
	{"account", "MSP v1", "account.go",
		"\tto.mu.Lock()\n\tto.amount += money\n\tto.mu.Unlock()\n", "\ta.mu.Lock()\n\tto.amount += money\n\ta.mu.Unlock()\n",
		") Transfer(", "\ta.mu.Lock()\n\tto.amount += money\n\ta.mu.Unlock()\n", 0},
	{"account", "MSP v2", "manager.go",
		"\t\t\tm.mu.Lock()\n\t\t\tm.served++\n\t\t\tm.mu.Unlock()\n", "\t\t\ta.mu.Lock()\n\t\t\tm.served++\n\t\t\ta.mu.Unlock()\n",
		") Serve(", "\t\t\ta.mu.Lock()\n\t\t\tm.served++\n\t\t\ta.mu.Unlock()\n", 1},
	{"account", "RSB", "account.go",
		"\ta.mu.Lock()\n\ta.amount -= money\n\ta.mu.Unlock()\n", "\ta.amount -= money\n",
		") Withdraw(", "\ta.amount -= money\n", 3},
	{"ticketing", "RSK", "ticketing.go",
		"\tp.mu.Lock()\n\tdefer p.mu.Unlock()\n", "",
		") Reserve(", "\tif p.sold == len(p.seats) {\n\t\treturn 0\n\t}\n\tseat := p.sold\n\tp.sold++\n\tp.seats[seat] = passenger\n", 0},
	{"philosophers", "manual", "philosophers.go",
		"\tif second.number < first.number {\n\t\tfirst, second = second, first\n\t}\n", "",
		") Eat(", "\tfirst.mu.Lock()\n\tsecond.mu.Lock()\n", 0},
	{"parking", "RSB v1", "parking.go",
		"\ts.carsMu.Lock()\n\ts.cars++\n\ts.carsMu.Unlock()\n", "\ts.cars++\n",
		") CarIn(", "\ts.cars++\n", 16},
	{"parking", "RSB v2", "parking.go",
		"\ts.motorcyclesMu.Lock()\n\ts.motorcycles--\n\ts.motorcyclesMu.Unlock()\n", "\ts.motorcycles--\n",
		") MotorcycleOut(", "\ts.motorcycles--\n", 2},
	{"parking", "RSK", "parking.go",
		"\tc.mu.Lock()\n\tc.cash += fee\n\tc.mu.Unlock()\n", "\tc.cash += fee\n",
		") Take(", "\tc.cash += fee\n", 12},
	{"taxi", "RSB", "taxi.go",
		"\tt.mu.Lock()\n\tt.location = place\n\tt.mu.Unlock()\n", "\tt.location = place\n",
		") goTo(", "\tt.location = place\n", 0},
}

// seed changes the program that was copied to dir, and returns the lines of the fault.
func (v variant) seed(dir string) ([]int, error) {
	name := filepath.Join(dir, v.file)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("seed %s %s: %w", v.program, v.name, err)
	}
	text := string(data)
	head := strings.Index(text, v.in)
	if head < 0 {
		return nil, fmt.Errorf("seed %s %s: %s has no %q", v.program, v.name, v.file, v.in)
	}
	at := strings.Index(text[head:], v.old)
	if at < 0 {
		return nil, fmt.Errorf("seed %s %s: %s has no such section after %q", v.program, v.name, v.file, v.in)
	}
	text = text[:head+at] + v.new + text[head+at+len(v.old):]
	at = strings.Index(text[head:], v.fault)
	if at < 0 {
		return nil, fmt.Errorf("seed %s %s: the fault is not where it should be", v.program, v.name)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		return nil, fmt.Errorf("seed %s %s: %w", v.program, v.name, err)
	}
	first := 1 + strings.Count(text[:head+at], "\n")
	var lines []int
	for i := range strings.Count(v.fault, "\n") {
		lines = append(lines, first+i)
	}
	return lines, nil
}

// seeded are the programs of the variants, each once.
func seeded() (names []string) {
	for _, v := range variants {
		if len(names) == 0 || names[len(names)-1] != v.program {
			names = append(names, v.program)
		}
	}
	return names
}
