package topic

import "strings"

// Collect receives up to n messages of a subscription, cancels it, and joins
// what it got.
func Collect(s *Subscription, n int) string {
	defer s.Cancel()
	var all []string
	for len(all) < n {
		message, ok := <-s.Messages()
		if !ok {
			break
		}
		all = append(all, message)
	}
	return strings.Join(all, " ")
}
