package stream

import (
	"hash/crc32"
	"sync"
	"testing"
)

// BenchmarkWorkload has several streams whose sources and consumers compute
// something for each frame.
func BenchmarkWorkload(b *testing.B) {
	const streams, frames, size = 4, 50, 1 << 14
	for b.Loop() {
		var wg sync.WaitGroup
		for range streams {
			s := New(4)
			wg.Go(func() {
				for i := range frames {
					frame := make([]byte, size)
					for j := range frame {
						frame[j] = byte(i * j)
					}
					if !s.Write(frame) {
						b.Error("closed too early")
					}
				}
			})
			wg.Go(func() {
				sum := uint32(0)
				if n := Copy(s, frames*size, func(frame []byte) { sum += crc32.ChecksumIEEE(frame) }); n != frames*size || sum == 0 {
					b.Errorf("%d bytes, sum %d", n, sum)
				}
			})
		}
		wg.Wait()
	}
}
