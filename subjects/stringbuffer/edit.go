package stringbuffer

// Append adds a text at the end.
func (b *Buffer) Append(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserve(len(text))
	b.count += copy(b.value[b.count:], text)
}

// AppendBuffer adds the text of another buffer at the end.
func (b *Buffer) AppendBuffer(other *Buffer) {
	n := other.Len()
	chars := make([]byte, n)
	other.GetChars(0, n, chars)
	b.Append(string(chars))
}

// Insert puts a text in front of the byte at position i.
func (b *Buffer) Insert(i int, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.check(i, b.count)
	b.reserve(len(text))
	copy(b.value[i+len(text):], b.value[i:b.count])
	copy(b.value[i:], text)
	b.count += len(text)
}

// Delete removes the text from start to end.
func (b *Buffer) Delete(start, end int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.check(start, end)
	copy(b.value[start:], b.value[end:b.count])
	b.count -= end - start
}

// Reverse turns the text around.
func (b *Buffer) Reverse() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, j := 0, b.count-1; i < j; i, j = i+1, j-1 {
		b.value[i], b.value[j] = b.value[j], b.value[i]
	}
}
