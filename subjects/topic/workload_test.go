package topic

import (
	"fmt"
	"hash/crc32"
	"strings"
	"sync"
	"testing"
)

// BenchmarkWorkload has topics whose subscribers compute something for each message.
func BenchmarkWorkload(b *testing.B) {
	const topics, subscribers, messages = 2, 2, 40
	text := strings.Repeat("news ", 4000)
	for b.Loop() {
		var wg sync.WaitGroup
		for range topics {
			news := &Topic{}
			for range subscribers {
				s := news.Subscribe(messages)
				wg.Go(func() {
					sum := uint32(0)
					for range messages {
						sum += crc32.ChecksumIEEE([]byte(text + <-s.Messages()))
					}
					s.Cancel()
					if sum == 0 {
						b.Error("no sum")
					}
				})
			}
			wg.Go(func() {
				for i := range messages {
					news.Publish(fmt.Sprint(i))
				}
			})
		}
		wg.Wait()
	}
}
