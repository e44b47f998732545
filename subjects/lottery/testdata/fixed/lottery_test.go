package lottery

import "testing"

func TestRun(t *testing.T) {
	const users, max = 4, 20
	slips := New(users, max, 7).Run()

	owner := make(map[int]int)
	for user, s := range slips {
		if s.User != user || s.Generated != s.Presented || s.Presented != s.Record {
			t.Errorf("%v", s)
		}
		if s.Record < 1 || s.Record > max {
			t.Errorf("user %d got %d, want a number from 1 to %d", user, s.Record, max)
		}
		if other, ok := owner[s.Record]; ok {
			t.Errorf("users %d and %d both got %d", other, user, s.Record)
		}
		owner[s.Record] = user
	}
}

// All numbers are given away in the end, however often the draw has to be
// repeated.
func TestAssign(t *testing.T) {
	const users = 5
	l := New(users, users, 1)
	seen := make(map[int]bool)
	for user := range users {
		l.assign(user)
		seen[l.slip(user).Record] = true
	}
	if len(seen) != users || seen[0] {
		t.Errorf("numbers given away: %v, want 1 to %d", seen, users)
	}
}
