package linked

import (
	"sync"

	"mendel/checker/sched"
)

// A semaphore is what is known of a word that is used as one.
type semaphore struct {
	was    uint32 // the word when the execution met it
	object sched.Object
	free   func() bool
}

// met holds the semaphores of the running execution. Its lock is held for moments only.
var met = struct {
	sync.Mutex
	changed    *sync.Cond   // a word was changed by code outside control
	execution  sched.Object // tells when the next execution begins
	semaphores map[*uint32]*semaphore
}{semaphores: map[*uint32]*semaphore{}}

func init() { met.changed = sync.NewCond(&met.Mutex) }

// meet returns what is known of a word.
func meet(word *uint32) *semaphore {
	met.Lock()
	defer met.Unlock()
	if met.execution.Fresh() {
		for word, s := range met.semaphores {
			*word = s.was
		}
		clear(met.semaphores)
	}
	s := met.semaphores[word]
	if s == nil {
		s = &semaphore{was: *word, free: func() bool { return *word > 0 }}
		met.semaphores[word] = s
	}
	return s
}

// Semacquire stands for sync.runtime_Semacquire: it waits until *word is positive, and
// takes one.
func Semacquire(word *uint32) {
	if !sched.Active() {
		met.Lock()
		defer met.Unlock()
		for *word == 0 {
			met.changed.Wait()
		}
		*word--
		return
	}
	s := meet(word)
	sched.Do(sched.Op{Kind: sched.KindWait, Obj: &s.object, Enabled: s.free, What: "runtime_Semacquire"})
	*word--
	sched.Acquire(&s.object)
}

// Semrelease stands for sync.runtime_Semrelease: it gives one back. Who takes it is a choice
// of the schedule, whether it is handed off or not.
func Semrelease(word *uint32, _ bool, _ int) {
	if !sched.Active() {
		met.Lock()
		defer met.Unlock()
		*word++
		met.changed.Broadcast()
		return
	}
	s := meet(word)
	sched.Do(sched.Op{Kind: sched.KindSignal, Obj: &s.object, What: "runtime_Semrelease"})
	*word++
	sched.Release(&s.object)
}
