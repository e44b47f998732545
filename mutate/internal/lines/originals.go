package lines

// Originals maps the lines of an edited text to those of the original.
func Originals(original, edited []byte) []int {
	// A line that only moved to another column is the same line.
	a, b := squeeze(split(string(original))), squeeze(split(string(edited)))
	mapped := make([]int, 0, len(b))
	i := 0 // lines of the original passed
	for _, h := range between(a, b) {
		for ; i < h.from; i++ {
			mapped = append(mapped, i+1)
		}
		for _, n := range aligned(a[h.from:h.to], h.lines) {
			mapped = append(mapped, max(h.from+n, 1))
		}
		i = h.to
	}
	for ; i < len(a); i++ {
		mapped = append(mapped, i+1)
	}
	return mapped
}

// aligned tells for each line of an edited hunk which line of the original's hunk it stands for,
// counted from 1; 0 for one that stands above them. Where there are as many of both, or none is
// like another, that is the order they stand in. Else lines that are alike belong together, and a
// line between follows the one above it.
func aligned(was, now []string) []int {
	lines := make([]int, len(now))
	for i := range now {
		lines[i] = min(i+1, len(was))
	}
	if len(was) == len(now) {
		return lines
	}
	best := make([][]int, len(was)+1) // of the lines from there on
	for i := range best {
		best[i] = make([]int, len(now)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1], alike(was[i], now[j])+best[i+1][j+1])
		}
	}
	if best[0][0] == 0 {
		return lines
	}
	for i, j, last := 0, 0, 0; j < len(now); {
		switch {
		case i < len(was) && alike(was[i], now[j]) > 0 && best[i][j] == alike(was[i], now[j])+best[i+1][j+1]:
			i, last = i+1, i+1
		case i < len(was) && best[i][j] == best[i+1][j] && best[i][j] > 0:
			i++
			continue
		}
		lines[j] = last
		j++
	}
	return lines
}

// alike is how many letters two lines have in common at their beginnings and ends; 0 for less than
// half of the longer one.
func alike(a, b string) int {
	short := min(len(a), len(b))
	n := 0
	for n < short && a[n] == b[n] {
		n++
	}
	m := 0
	for m < short-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	if 2*(n+m) < max(len(a), len(b)) {
		return 0
	}
	return n + m
}
