package lottery

import "testing"

func TestRun(t *testing.T) {
	const users, max = 4, 20
	l := New(users, max, 7)
	slips := l.Run()

	owner := make(map[int]int)
	for user, s := range slips {
		if s.User != user || s.Generated != s.Presented || s.Presented != s.Record {
			t.Errorf("%v", s)
		}
		if !l.Genuine(s) {
			t.Errorf("%v has the code %s", s, s.Code)
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

func TestGenuine(t *testing.T) {
	l := New(1, 10, 1)
	s := l.Run()[0]
	if !l.Genuine(s) || New(1, 10, 2).Genuine(s) {
		t.Errorf("%v, with the code %s: genuine is %t, for another lottery %t", s, s.Code, l.Genuine(s), New(1, 10, 2).Genuine(s))
	}
	s.Record++
	if l.Genuine(s) {
		t.Errorf("%v was forged", s)
	}
}
