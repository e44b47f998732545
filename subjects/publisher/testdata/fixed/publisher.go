// Package publisher stores documents and keeps a trail of what was published.
package publisher

import (
	"errors"
	"fmt"
	"sync"
)

// A Document has a name and a text.
type Document struct {
	Name, Text string
}

// validate tells what is wrong with a document.
func (d Document) validate() error {
	switch {
	case d.Name == "":
		return errors.New("a document needs a name")
	case d.Text == "":
		return fmt.Errorf("%s is empty", d.Name)
	}
	return nil
}

// A Publisher publishes documents. It may be used by several goroutines.
type Publisher struct {
	store  *Store
	trail  *Trail
	rounds int // of a digest for the trail

	mu     sync.Mutex // guards missed
	missed map[string]error
}

// New makes a publisher with a store and a trail, whose digests take some rounds.
func New(s *Store, t *Trail, rounds int) *Publisher {
	return &Publisher{store: s, trail: t, rounds: rounds, missed: make(map[string]error)}
}

// Publish stores a document and, meanwhile, enters it in the trail. That the
// trail misses it is not the author's business: see Missed.
func (p *Publisher) Publish(d Document) error {
	err := d.validate()
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if _, err := p.trail.Append(d.Name + " " + digest(d.Text, p.rounds)); err != nil {
			p.miss(d.Name, err)
		}
	}()
	_, err = p.store.Put(d)
	wg.Wait()
	if err != nil {
		return fmt.Errorf("publish %s: %w", d.Name, err)
	}
	return nil
}

// miss notes that the trail lacks a document.
func (p *Publisher) miss(name string, why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.missed[name] = why
}

// Missed is why the trail lacks a document; nil if it has it.
func (p *Publisher) Missed(name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.missed[name]
}
