package buffer

import "sync"

// A Plant has producers and consumers that work through one buffer.
type Plant struct {
	buffer    *Buffer
	producers int
	consumers int
}

// NewPlant makes a plant with an empty buffer.
func NewPlant(producers, consumers, capacity int) *Plant {
	return &Plant{buffer: New(capacity), producers: producers, consumers: consumers}
}

// Buffer is what the plant works through.
func (p *Plant) Buffer() *Buffer {
	return p.buffer
}

// Run lets each producer make a number of items and the consumers share them
// evenly; the first ones take what is left over. It returns what each consumer
// took. The items are numbered from 0.
func (p *Plant) Run(each int) [][]int {
	var wg sync.WaitGroup
	for i := range p.producers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.produce(i*each, each)
		}()
	}
	taken := make([][]int, p.consumers)
	for i := range p.consumers {
		share := p.producers * each / p.consumers
		if i < p.producers*each%p.consumers {
			share++
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			taken[i] = p.consume(share)
		}()
	}
	wg.Wait()
	return taken
}

// produce makes n items, numbered from first.
func (p *Plant) produce(first, n int) {
	for i := range n {
		p.buffer.Put(first + i)
	}
}

// consume takes n items.
func (p *Plant) consume(n int) []int {
	items := make([]int, 0, n)
	for range n {
		items = append(items, p.buffer.Take())
	}
	return items
}
