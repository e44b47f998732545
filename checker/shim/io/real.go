package io

import "io"

// The real types.
type (
	Reader          = io.Reader
	Writer          = io.Writer
	Closer          = io.Closer
	Seeker          = io.Seeker
	ReadWriter      = io.ReadWriter
	ReadCloser      = io.ReadCloser
	WriteCloser     = io.WriteCloser
	ReadWriteCloser = io.ReadWriteCloser
	ReadSeeker      = io.ReadSeeker
	ReadSeekCloser  = io.ReadSeekCloser
	WriteSeeker     = io.WriteSeeker
	ReadWriteSeeker = io.ReadWriteSeeker
	ReaderFrom      = io.ReaderFrom
	WriterTo        = io.WriterTo
	ReaderAt        = io.ReaderAt
	WriterAt        = io.WriterAt
	ByteReader      = io.ByteReader
	ByteScanner     = io.ByteScanner
	ByteWriter      = io.ByteWriter
	RuneReader      = io.RuneReader
	RuneScanner     = io.RuneScanner
	StringWriter    = io.StringWriter
	LimitedReader   = io.LimitedReader
	SectionReader   = io.SectionReader
	OffsetWriter    = io.OffsetWriter
)

// The real constants.
const (
	SeekStart   = io.SeekStart
	SeekCurrent = io.SeekCurrent
	SeekEnd     = io.SeekEnd
)

// The real errors, and the real writer that discards.
var (
	EOF              = io.EOF
	ErrClosedPipe    = io.ErrClosedPipe
	ErrNoProgress    = io.ErrNoProgress
	ErrShortBuffer   = io.ErrShortBuffer
	ErrShortWrite    = io.ErrShortWrite
	ErrUnexpectedEOF = io.ErrUnexpectedEOF
	Discard          = io.Discard
)

// Copy is the real one, as are all below.
func Copy(dst Writer, src Reader) (written int64, err error) { return io.Copy(dst, src) }

// CopyBuffer is the real one.
func CopyBuffer(dst Writer, src Reader, buf []byte) (written int64, err error) {
	return io.CopyBuffer(dst, src, buf)
}

// CopyN is the real one.
func CopyN(dst Writer, src Reader, n int64) (written int64, err error) { return io.CopyN(dst, src, n) }

// ReadAll is the real one.
func ReadAll(r Reader) ([]byte, error) { return io.ReadAll(r) }

// ReadAtLeast is the real one.
func ReadAtLeast(r Reader, buf []byte, min int) (n int, err error) {
	return io.ReadAtLeast(r, buf, min)
}

// ReadFull is the real one.
func ReadFull(r Reader, buf []byte) (n int, err error) { return io.ReadFull(r, buf) }

// WriteString is the real one.
func WriteString(w Writer, s string) (n int, err error) { return io.WriteString(w, s) }

// NewOffsetWriter is the real one.
func NewOffsetWriter(w WriterAt, off int64) *OffsetWriter { return io.NewOffsetWriter(w, off) }

// NopCloser is the real one.
func NopCloser(r Reader) ReadCloser { return io.NopCloser(r) }

// LimitReader is the real one.
func LimitReader(r Reader, n int64) Reader { return io.LimitReader(r, n) }

// MultiReader is the real one.
func MultiReader(readers ...Reader) Reader { return io.MultiReader(readers...) }

// TeeReader is the real one.
func TeeReader(r Reader, w Writer) Reader { return io.TeeReader(r, w) }

// NewSectionReader is the real one.
func NewSectionReader(r ReaderAt, off int64, n int64) *SectionReader {
	return io.NewSectionReader(r, off, n)
}

// MultiWriter is the real one.
func MultiWriter(writers ...Writer) Writer { return io.MultiWriter(writers...) }
