package effects

// seeds are functions of which the analysis is told what they do, in the words of the
// table.
var seeds = map[string]string{
	"(*sync.Mutex).Lock":           "0L",
	"(*sync.Mutex).TryLock":        "0L",
	"(*sync.RWMutex).Lock":         "0L",
	"(*sync.RWMutex).TryLock":      "0L",
	"(*sync.RWMutex).RLock":        "0l",
	"(*sync.RWMutex).TryRLock":     "0l",
	"(*sync.Map).Load":             "0l",
	"(*sync.Map).Range":            "0l",
	"(*sync.Map).Store":            "0L",
	"(*sync.Map).Delete":           "0L",
	"(*sync.Map).Clear":            "0L",
	"(*sync.Map).Swap":             "0L",
	"(*sync.Map).LoadOrStore":      "0L",
	"(*sync.Map).LoadAndDelete":    "0L",
	"(*sync.Map).CompareAndSwap":   "0L",
	"(*sync.Map).CompareAndDelete": "0L",

	// In assembly, or in the runtime.
	"maps.clone":                 "0r",
	"bytes.Equal":                "0r 1r",
	"internal/bytealg.Compare":   "0r 1r",
	"internal/bytealg.Count":     "0r",
	"internal/bytealg.Equal":     "0r 1r",
	"internal/bytealg.Index":     "0r 1r",
	"internal/bytealg.IndexByte": "0r",

	// They read through functions that they find by type, which the analysis does
	// not follow.
	"(*fmt.pp).doPrint":                      "1F",
	"(*fmt.pp).doPrintln":                    "1F",
	"(*fmt.pp).doPrintf":                     "2F",
	"(*fmt.ss).doScan":                       "1W",
	"(*fmt.ss).doScanf":                      "2W",
	"(*encoding/json.encodeState).marshal":   "0w 1R",
	"(*encoding/json.decodeState).unmarshal": "0w 1W",
	"(*encoding/xml.printer).marshalValue":   "0w 1R",
	"(*encoding/xml.Decoder).unmarshal":      "0w 1W",
	"(*encoding/gob.Encoder).EncodeValue":    "0L 1R",
	"(*encoding/gob.Decoder).DecodeValue":    "0L 1W",
	"(*text/template.Template).execute":      "0r 2R 1mWrite",

	// Of Go 1.27.
	"encoding/json/v2.marshalEncode":               "0w 1R",
	"encoding/json/v2.unmarshalDecode":             "0w 1W",
	"(*encoding/json/jsontext.decoderState).fetch": "0w 0Kfill",

	// Files have no lock, but are shared.
	"os.OpenFile":             "$files:L",
	"os.Open":                 "$files:l",
	"os.Stat":                 "$files:l",
	"os.Lstat":                "$files:l",
	"os.Readlink":             "$files:l",
	"os.Mkdir":                "$files:L",
	"os.Remove":               "$files:L",
	"os.RemoveAll":            "$files:L",
	"os.Rename":               "$files:L",
	"os.Link":                 "$files:L",
	"os.Symlink":              "$files:L",
	"os.Truncate":             "$files:L",
	"os.Chmod":                "$files:L",
	"os.Chtimes":              "$files:L",
	"os.Chdir":                "$files:L",
	"os.Getwd":                "$files:l",
	"(*os.File).Truncate":     "0r $files:L",
	"(*os.File).Stat":         "0r $files:l",
	"(*os.File).Read":         "0r 1w $files:L", // it moves the offset
	"(*os.File).ReadAt":       "0r 1w $files:l",
	"(*os.File).Write":        "0r 1r $files:L",
	"(*os.File).WriteAt":      "0r 1r $files:L",
	"(*os.File).WriteString":  "0r $files:L",
	"(*os.File).Seek":         "0r $files:L",
	"(*os.File).ReadDir":      "0r $files:l",
	"(*os.File).Readdir":      "0r $files:l",
	"(*os.File).Readdirnames": "0r $files:l",
	"(*os.File).Close":        "0r",
	"os.IsTimeout":            "",
	"os.IsExist":              "",
	"os.IsNotExist":           "",
	"os.IsPermission":         "",
}

// known are lines of the table that the analysis would get wrong: an element of a list
// belongs to the list, whose lock guards both; some writes are made in some cases
// only.
var known = map[string]string{
	"container/list.Element.Next":              " 0r0.1.2 0>2r",
	"container/list.Element.Prev":              " 0r0.1.2 0>2r",
	"container/list.List.MoveToFront":          " 0w 1r2 1w0.1",
	"container/list.List.MoveToBack":           " 0w 1r2 1w0.1",
	"container/list.List.MoveBefore":           " 0w 1r2 1w0.1 2r2",
	"container/list.List.MoveAfter":            " 0w 1r2 1w0.1 2r2",
	"archive/zip.pooledFlateReader.Read":       " 0L 1w", // from a pool of the package
	"crypto/cipher.aesCtrWrapper.XORKeyStream": " 0>0w 1w 2r",
	"text/template.Template.Parse":             " 0L 0w1 0r3.4",
	"text/template.Template.Clone":             " 0l 0r3.4",
	"slices.Grow":                              " 0r",
	"errors.As":                                " 1W",
	"errors.Is":                                "",
	"errors.Unwrap":                            "",
	"slices.AppendSeq":                         " 0a 1c",
	"sort.Slice":                               " 0w 1c",
	"sort.SliceStable":                         " 0w 1c",
	"sort.SliceIsSorted":                       " 0r 1c",
	"os.ReadFile":                              " $files:l",
	"strings.NewReplacer":                      " 0r",
	"bytes.Join":                               " 0e 1r",
	"slices.Concat":                            " 0e",
	"slices.Chunk":                             "",

	// What these hold was given to them, or is given away: see kept.go of package sched.
	"bytes.Buffer.Bytes":                   " 0r",
	"bytes.Buffer.String":                  " 0r 0Kread",
	"bytes.Buffer.WriteTo":                 " 0w 0Kread 1mWrite",
	"bytes.Buffer.Read":                    " 0w 0Kread 1w",
	"bytes.Buffer.ReadByte":                " 0w 0Kread",
	"bytes.Buffer.ReadRune":                " 0w 0Kread",
	"bytes.Buffer.ReadBytes":               " 0w 0Kread",
	"bytes.Buffer.ReadString":              " 0w 0Kread",
	"bytes.Buffer.Write":                   " 0w 0Kadd 1r",
	"bytes.Buffer.WriteString":             " 0w 0Kadd",
	"bytes.Buffer.WriteByte":               " 0w 0Kadd",
	"bytes.Buffer.WriteRune":               " 0w 0Kadd",
	"bytes.Buffer.ReadFrom":                " 0w 0Kadd 1mRead",
	"bytes.Reader.Read":                    " 0w 0Kread 1w",
	"bytes.Reader.ReadAt":                  " 0r0 0Kread 1w",
	"bytes.Reader.Size":                    " 0r0",
	"bytes.Reader.Reset":                   " 0w 0w0",
	"bytes.Reader.ReadByte":                " 0w 0Kread",
	"bytes.Reader.ReadRune":                " 0w 0Kread",
	"bytes.Reader.WriteTo":                 " 0w 0Kread 1mWrite",
	"bufio.Writer.Flush":                   " 0w 0Kflush",
	"bufio.Reader.Size":                    " 0r0",
	"bufio.Reader.Reset":                   " 0w 0w0",
	"bufio.Writer.Size":                    " 0r1",
	"bufio.Reader.Peek":                    " 0w 0Kfill",
	"bufio.Reader.Discard":                 " 0w 0Kfill",
	"bufio.Reader.Read":                    " 0w 0Kfill 1w",
	"bufio.Reader.ReadByte":                " 0w 0Kfill",
	"bufio.Reader.ReadRune":                " 0w 0Kfill",
	"bufio.Reader.ReadSlice":               " 0w 0Kfill",
	"bufio.Reader.ReadLine":                " 0w 0Kfill",
	"bufio.Reader.ReadBytes":               " 0w 0Kfill",
	"bufio.Reader.ReadString":              " 0w 0Kfill",
	"bufio.Reader.WriteTo":                 " 0w 0Kfill 1mReadFrom 1mWrite",
	"bufio.Scanner.Scan":                   " 0w 0Kfill",
	"encoding/csv.Writer.Flush":            " 0r2 0>2w 0Kflush",
	"encoding/csv.Writer.WriteAll":         " 0>2w 0r0.1.2 0Kwrite 1r",
	"encoding/gob.Encoder.Encode":          " 0L 0Kwrite 1R",
	"encoding/gob.Encoder.EncodeValue":     " 0L 0Kwrite 1R",
	"encoding/gob.Decoder.Decode":          " 0L 0Kfill 1W",
	"encoding/gob.Decoder.DecodeValue":     " 0L 0Kfill 1W",
	"encoding/xml.Encoder.Encode":          " 0w 0Kwrite 1R",
	"encoding/xml.Encoder.EncodeElement":   " 0w 0Kwrite 1R",
	"encoding/xml.Encoder.Flush":           " 0w 0Kflush",
	"encoding/xml.Encoder.Close":           " 0w 0Kflush",
	"encoding/json.RawMessage.MarshalJSON": " 0r",
	"encoding/json.Unmarshal":              " 0r 1W",
	"encoding/json.Valid":                  " 0r",
	"io.multiWriter.Write":                 " 0Kwrite 1r",
	"io.multiWriter.WriteString":           " 0Kwrite",
	"io.multiReader.Read":                  " 0w 0Kfill 1w",
	"log/slog.Logger.Info":                 " 0>0mEnabled 0>0mHandle 0r 2F 2r",
	"log/slog.Logger.InfoContext":          " 0>0mEnabled 0>0mHandle 0r 3F 3r",
	"log/slog.Info":                        " 1F 1r $slog:l",
	"log/slog.InfoContext":                 " 2F 2r $slog:l",
	"log/slog.Logger.Warn":                 " 0>0mEnabled 0>0mHandle 0r 2F 2r",
	"log/slog.Logger.WarnContext":          " 0>0mEnabled 0>0mHandle 0r 3F 3r",
	"log/slog.Warn":                        " 1F 1r $slog:l",
	"log/slog.WarnContext":                 " 2F 2r $slog:l",
	"log/slog.Logger.Error":                " 0>0mEnabled 0>0mHandle 0r 2F 2r",
	"log/slog.Logger.ErrorContext":         " 0>0mEnabled 0>0mHandle 0r 3F 3r",
	"log/slog.Error":                       " 1F 1r $slog:l",
	"log/slog.ErrorContext":                " 2F 2r $slog:l",
	"log/slog.TextHandler.Handle":          " 0L 0Kwrite 2r",
	"log/slog.JSONHandler.Handle":          " 0L 0Kwrite 2r",
	"log/slog.defaultHandler.Handle":       " 0r 2r",

	"log/slog.Logger.Log":          " 0>0mEnabled 0>0mHandle 0r 4F 4r",
	"log/slog.Logger.LogAttrs":     " 0>0mEnabled 0>0mHandle 0r 4F 4r",
	"log/slog.Logger.Debug":        " 0>0mEnabled 0>0mHandle 0r 0Kdebug 2Kshown 2r",
	"log/slog.Logger.DebugContext": " 0>0mEnabled 0>0mHandle 0r 0Kdebug 3Kshown 3r",
	"log/slog.Log":                 " 3F 3r $slog:l",
	"log/slog.LogAttrs":            " 3F 3r $slog:l",
	"log/slog.Any":                 "",
	"log/slog.AnyValue":            "",
	"log/slog.Logger.With":         " 0>0mWithAttrs 0r 1F 1r",
	"log/slog.With":                " 0F 0r $slog:l",

	// Of Go 1.27.
	"encoding/json/v2.MarshalWrite":            " 0mWrite 1R 2r",
	"encoding/json/v2.Unmarshal":               " 0r 1W 2r",
	"encoding/json/v2.UnmarshalRead":           " 0mRead 1W 2r",
	"encoding/json/jsontext.Value.MarshalJSON": " 0r",

	// They read through an object of their own, or call methods of what they are given
	// by its type.
	"bytes.Lines":                               "", // see iterate.go of package sched
	"bytes.SplitSeq":                            "",
	"bytes.SplitAfterSeq":                       "",
	"bytes.FieldsSeq":                           "",
	"bytes.FieldsFuncSeq":                       "",
	"io.CopyN":                                  " 0mReadFrom 0mWrite 1mRead",
	"fmt.Fscan":                                 " 0mReadRune 1W",
	"fmt.Fscanln":                               " 0mReadRune 1W",
	"fmt.Fscanf":                                " 0mReadRune 2W",
	"compress/gzip.NewReader":                   " 0mRead",
	"compress/zlib.NewReader":                   " 0mRead",
	"net/mail.ReadMessage":                      " 0mRead",
	"net/http.ReadResponse":                     " 0w 0Kfill",
	"net/http.ReadRequest":                      " 0w 0Kfill",
	"net/http.NewRequest":                       " 2mLen",
	"net/http.NewRequestWithContext":            " 3mLen",
	"net/http.Error":                            " 0mHeader 0Kheader 0mWriteHeader 0mWrite",
	"net/http.NotFound":                         " 0mHeader 0Kheader 0mWriteHeader 0mWrite",
	"net/http.Redirect":                         " 0mHeader 0Kheader 0mWriteHeader 0mWrite 1r0.1",
	"net/http.SetCookie":                        " 0mHeader 0Kheader",
	"net/http/httptest.ResponseRecorder.Result": " 0>2r 0r0.1.2.5 0w4",
	"strings.Replacer.WriteString":              " 1mWriteString 1mWrite",
	"testing/fstest.MapFS.ReadFile":             " 0r",
	"testing/fstest.MapFS.ReadDir":              " 0r",
	"testing/fstest.MapFS.Stat":                 " 0r",
	"testing/fstest.MapFS.Glob":                 " 0r",
	"hash/crc32.ChecksumIEEE":                   " 0r",
	"index/suffixarray.New":                     " 0r",
	"math/rand.Zipf.Uint64":                     " 0r 0>0w",
	"math/rand/v2.Zipf.Uint64":                  " 0r 0>0w",
	"math/rand.Rand.Seed":                       " 0w",
	"math/rand.Rand.Read":                       " 0w 1w",
	"encoding/hex.AppendEncode":                 " 0a 1r",
	"encoding/hex.AppendDecode":                 " 0a 1r",
	"encoding/binary.Append":                    " 0a 2R",

	// The flags that they set are known by their names: see flags.go of package sched.
	"flag.FlagSet.Set":   " 0>3w 0>4r 0r4 0z3 0Kflags 1Kset",
	"flag.FlagSet.Parse": " 0>7mWrite 0r0.1.4.6.7 0z3 0w2.5 0>3w 0>4r 0Kflags 1Kparse",

	// They use the first elements only.
	"encoding/binary.littleEndian.Uint16":    " 1r[2",
	"encoding/binary.littleEndian.PutUint16": " 1w[2",
	"encoding/binary.littleEndian.Uint32":    " 1r[4",
	"encoding/binary.littleEndian.PutUint32": " 1w[4",
	"encoding/binary.littleEndian.Uint64":    " 1r[8",
	"encoding/binary.littleEndian.PutUint64": " 1w[8",
	"encoding/binary.bigEndian.Uint16":       " 1r[2",
	"encoding/binary.bigEndian.PutUint16":    " 1w[2",
	"encoding/binary.bigEndian.Uint32":       " 1r[4",
	"encoding/binary.bigEndian.PutUint32":    " 1w[4",
	"encoding/binary.bigEndian.Uint64":       " 1r[8",
	"encoding/binary.bigEndian.PutUint64":    " 1w[8",
}

// observable are the variables of packages that have a lock, or are atomic, and that a
// program can see and change, with the name of what they are. The others are caches,
// pools and the like.
var observable = map[string]string{
	"syscall.envLock":          "environment",
	"expvar.vars":              "expvar",
	"log.std":                  "log",
	"log/slog.defaultLogger":   "slog",
	"log/slog.logLoggerLevel":  "slog",
	"net/http.DefaultServeMux": "http.DefaultServeMux",
	"mime.mimeTypes":           "mime",
}

// reflected are the lines about package reflect, whose code says nothing about types.
// Of a Value, what it was made of is read and written, if it has an address.
const reflected = `go/format
	Source 0r
reflect
	Copy 0Kwrite 1Kelements
	DeepEqual 0D 1D
	Append 0Kadd
	AppendSlice 0Kadd 1Kelements
	Value.Bool 0r
	Value.Bytes 0r
	Value.Complex 0r
	Value.Float 0r
	Value.Int 0r
	Value.Interface 0r
	Value.IsNil 0r
	Value.IsZero 0r
	Value.Call 0Kcall
	Value.CallSlice 0Kcall
	Value.Cap 0r
	Value.Clear 0Kwrite
	Value.Comparable 0r
	Value.Convert 0r
	Value.Elem 0r
	Value.Equal 0r 1r
	Value.Grow 0w
	Value.Len 0r 0Kmap
	Value.MapIndex 0r 0Kmap
	Value.MapKeys 0r 0Kmap
	Value.MapRange 0r 0Kmap
	Value.Pointer 0r
	Value.Seq 0r 0Kmap 0Kelements
	Value.Seq2 0r 0Kmap 0Kelements
	Value.Set 0w
	Value.SetBool 0w
	Value.SetBytes 0w
	Value.SetComplex 0w
	Value.SetFloat 0w
	Value.SetInt 0w
	Value.SetIterKey 0w
	Value.SetIterValue 0w
	Value.SetLen 0w
	Value.SetMapIndex 0r 0Kwrite
	Value.SetPointer 0w
	Value.SetString 0w
	Value.SetUint 0w
	Value.SetZero 0w
	Value.String 0r
	Value.Uint 0r
`
