package hook

import "sync/atomic"

// The atomic operations of the hooks. A build replaces this file by one that uses
// internal/runtime/atomic, which the race detector does not know (AtomicSource):
// these would order what the program leaves unordered.

func load(p *uint64) uint64                 { return atomic.LoadUint64(p) }
func store(p *uint64, v uint64)             { atomic.StoreUint64(p, v) }
func add(p *uint64, d int64) uint64         { return atomic.AddUint64(p, uint64(d)) }
func swapped(p *uint64, old, v uint64) bool { return atomic.CompareAndSwapUint64(p, old, v) }
func finish(p *Kind, k Kind)                { atomic.StoreUint32((*uint32)(p), uint32(k)) }

// AtomicSource is what a build has in place of atomic.go.
const AtomicSource = `package hook

import "internal/runtime/atomic"

func load(p *uint64) uint64               { return atomic.Load64(p) }
func store(p *uint64, v uint64)           { atomic.Store64(p, v) }
func add(p *uint64, d int64) uint64       { return atomic.Xadd64(p, d) }
func swapped(p *uint64, old, v uint64) bool { return atomic.Cas64(p, old, v) }
func finish(p *Kind, k Kind)              { atomic.Store((*uint32)(p), uint32(k)) }
`
