package instrument

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/patience"
	"mendel/internal/rewrite"
)

// Sockets in memory take the place of the operating system's in the target's own package
// net. A field is added to netFD, and the functions below begin with a statement that asks
// whether it is set. They are found by their names and receivers in the target's GOROOT.

//go:embed sockets/net.go.txt
var socketSource string

// asked are the statements, by function. Functions that a release does not have are passed
// over, unless they are in needed.
var asked = map[string]string{
	"(*netFD).Close":            "if fd.zz != nil { return fd.zz.Close() }",
	"(*netFD).closeRead":        "if fd.zz != nil { return fd.zz.CloseRead() }",
	"(*netFD).closeWrite":       "if fd.zz != nil { return fd.zz.CloseWrite() }",
	"(*netFD).Read":             "if fd.zz != nil { return fd.zz.Read(p) }",
	"(*netFD).Write":            "if fd.zz != nil { return fd.zz.Write(p) }",
	"(*netFD).accept":           "if fd.zz != nil { return fd.zzAccept() }",
	"(*netFD).dup":              `if fd.zz != nil { return nil, zzFile("the file") }`,
	"(*netFD).writeBuffers":     "if fd.zz != nil { return fd.zzBuffers(v) }",
	"(*netFD).SetDeadline":      "if fd.zz != nil { return fd.zz.set(t, 3) }; t = zzTime(t)",
	"(*netFD).SetReadDeadline":  "if fd.zz != nil { return fd.zz.set(t, 1) }; t = zzTime(t)",
	"(*netFD).SetWriteDeadline": "if fd.zz != nil { return fd.zz.set(t, 2) }; t = zzTime(t)",

	"(*netFD).readFromInet4": "if fd.zz != nil { return fd.zzReadFrom4(p, from) }",
	"(*netFD).readFromInet6": "if fd.zz != nil { return fd.zzReadFrom6(p, from) }",
	"(*netFD).readMsgInet4":  "if fd.zz != nil { n, err := fd.zzReadFrom4(p, sa); return n, 0, 0, err }",
	"(*netFD).readMsgInet6":  "if fd.zz != nil { n, err := fd.zzReadFrom6(p, sa); return n, 0, 0, err }",
	"(*netFD).writeToInet4":  "if fd.zz != nil { return fd.zzWriteTo4(p, sa) }",
	"(*netFD).writeToInet6":  "if fd.zz != nil { return fd.zzWriteTo6(p, sa) }",
	"(*netFD).writeMsgInet4": "if fd.zz != nil { n, err := fd.zzWriteTo4(p, sa); return n, 0, err }",
	"(*netFD).writeMsgInet6": "if fd.zz != nil { n, err := fd.zzWriteTo6(p, sa); return n, 0, err }",

	"(*UDPConn).SyscallConn":      `if c.ok() && c.fd.zz != nil { return nil, zzFile("SyscallConn") }`,
	"(*TCPConn).SyscallConn":      `if c.ok() && c.fd.zz != nil { return nil, zzFile("SyscallConn") }`,
	"(*UnixConn).SyscallConn":     `if c.ok() && c.fd.zz != nil { return nil, zzFile("SyscallConn") }`,
	"(*UnixListener).SyscallConn": `if l.ok() && l.fd.zz != nil { return nil, zzFile("SyscallConn") }`,
	"(*TCPListener).SyscallConn":  `if l.ok() && l.fd.zz != nil { return nil, zzFile("SyscallConn") }`,

	"setNoDelay":           "if fd.zz != nil { return nil }",
	"setKeepAlive":         "if fd.zz != nil { return nil }",
	"setKeepAliveIdle":     "if fd.zz != nil { return nil }",
	"setKeepAliveInterval": "if fd.zz != nil { return nil }",
	"setKeepAliveCount":    "if fd.zz != nil { return nil }",
	"setReadBuffer":        "if fd.zz != nil { return nil }",
	"setWriteBuffer":       "if fd.zz != nil { return nil }",
	"setLinger":            "if fd.zz != nil { return fd.zz.SetLinger(sec) }",
	"spliceFrom":           "if c.zz != nil { return }",
	"spliceTo":             "if c.zz != nil { return }",
	"sendFile":             "if c.zz != nil { return }",

	"internetSocket": "if fd, err, done := zzInternet(ctx, net, laddr, raddr, sotype, mode, ctrlCtxFn != nil); done { return fd, err }",
	"unixSocket":     "if fd, err, done := zzUnix(ctx, net, laddr, raddr, mode, ctxCtrlFn != nil); done { return fd, err }",

	"(*Dialer).DialContext":    "if c, err, done := d.zzDial(ctx, network, address); done { return c, err }",
	"(*Resolver).lookupIPAddr": "if list := zzLocalhost(host); list != nil { return list, nil }",
}

// optional are the functions that not all systems have.
var optional = []string{"spliceFrom", "spliceTo", "sendFile", "(*netFD).writeBuffers", "setKeepAliveIdle", "setKeepAliveInterval", "setKeepAliveCount"}

// socketField is the declaration of netFD, to which the field is added.
const socketField = "zz *zzSocket; "

// networked reports whether all packages of the program's network are controlled. If not,
// none of them is.
func (in *Instrumenter) networked() bool {
	all := true
	for _, d := range in.program.Dependencies {
		all = all && !(inMemory(d.Path) && d.Concurrent && in.controlled[d.Path] == nil)
	}
	if !all {
		in.leaveNetwork()
	}
	return all
}

// leaveNetwork gives up control of all these packages.
func (in *Instrumenter) leaveNetwork() {
	for _, d := range in.program.Dependencies {
		if inMemory(d.Path) {
			in.leave(d.Path)
		}
	}
}

// inMemory reports whether a package is one of the standard library that knows of
// sockets, and is under control or asks package net for them.
func inMemory(path string) bool {
	return path == "net" || path == "crypto/tls" || path == "net/http" || strings.HasPrefix(path, "net/http/")
}

// ownPatience are the calls of a package of the network that set a time-out of a fixed
// length. It is how long the package itself is patient with the other side, on a machine
// that gets on, and does not end while others can go on. Time-outs that the program has
// chosen are variables there.
func ownPatience(pkg *analysis.Package) map[*ast.CallExpr]patience.Guard {
	guards := map[*ast.CallExpr]patience.Guard{}
	for _, f := range pkg.Files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			switch fn := callee(pkg.Info, call); {
			case fn == nil:
			case oneOf(fn, []string{"time.After", "time.AfterFunc", "time.NewTimer"}) && pkg.Info.Types[call.Args[0]].Value != nil:
				guards[call] = patience.Gives
			}
			return true
		})
	}
	return guards
}

// beyond is [beyondControl] of a function, unless sockets are in memory and it asks for no
// more than them.
func (in *Instrumenter) beyond(fn *types.Func) string {
	if in.network && oneOf(fn, sockets) {
		return ""
	}
	return beyondControl(fn)
}

// sockets are the functions whose sockets are in memory, or say themselves that they are not.
var sockets = []string{
	"net.Dial", "net.DialTimeout", "net.DialTCP", "net.DialUnix", "(*net.Dialer).Dial*",
	"net.DialUDP", "net.ListenPacket", "net.ListenUDP", "(*net.ListenConfig).ListenPacket",
	"net.Listen", "net.ListenTCP", "net.ListenUnix", "(*net.ListenConfig).Listen", "crypto/tls.Dial*", "crypto/tls.Listen*",
}

// socketsInMemory adds to the overlay what makes sockets of the target's package net ones
// in memory. It changes nothing if that package is not as it is expected.
func (in *Instrumenter) socketsInMemory(release *build.Context) error {
	dir := filepath.Join(in.goroot, "src", "net")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("read package net: %w", err)
	}
	files, left, field := map[string][]byte{}, maps.Clone(asked), false
	native := *release
	native.OpenFile, native.JoinPath = nil, nil
	for _, e := range entries {
		name := e.Name()
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if match, err := native.MatchFile(dir, name); err != nil || !match {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return fmt.Errorf("read package net: %w", err)
		}
		changed, has, err := askFirst(name, text, left)
		if err != nil {
			return fmt.Errorf("read package net: %w", err)
		}
		field = field || has
		if changed != nil {
			files[filepath.Join(dir, name)] = changed
		}
	}
	for _, name := range optional {
		delete(left, name)
	}
	if !field || len(left) > 0 {
		return fmt.Errorf("package net is not as expected: it lacks %s", strings.Join(append(slices.Sorted(maps.Keys(left)), "or netFD"), ", "))
	}
	maps.Copy(in.runtime, files)
	in.runtime[filepath.Join(dir, "zzmendel.go")] = []byte(rewrite.Inside(socketSource))
	return nil
}

// askFirst puts the statements into the functions of a file, and the field into netFD. It
// deletes from left what it has found. The text is nil if nothing changes.
func askFirst(name string, text []byte, left map[string]string) (changed []byte, field bool, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, false, err
	}
	at := map[int]string{}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if ask := left[declared(d)]; ask != "" && d.Body != nil {
				at[fset.Position(d.Body.Lbrace).Offset+1] = " " + ask + "; "
				delete(left, declared(d))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok && t.Name.Name == "netFD" {
					if s, ok := t.Type.(*ast.StructType); ok {
						at[fset.Position(s.Fields.Opening).Offset+1] = " " + socketField
						field = true
					}
				}
			}
		}
	}
	if len(at) == 0 {
		return nil, false, nil
	}
	from := 0
	for _, offset := range slices.Sorted(maps.Keys(at)) {
		changed = append(changed, text[from:offset]...)
		changed = append(changed, at[offset]...)
		from = offset
	}
	return append(changed, text[from:]...), field, nil
}

// declared is the name of a function, with that of its receiver's type: "(*T).M".
func declared(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return d.Name.Name
	}
	if star, ok := d.Recv.List[0].Type.(*ast.StarExpr); ok {
		if id, ok := star.X.(*ast.Ident); ok {
			return "(*" + id.Name + ")." + d.Name.Name
		}
	}
	return ""
}
