package analysis

import "slices"

// Network is the pattern of [Target.Instrument] with which the network of the program's
// tests is under control: loopback sockets are in memory, and those packages of the
// standard library are controlled like dependencies whose goroutines wait for them.
const Network = "net"

// networking are these packages.
var networking = []string{
	"crypto/tls", "net/http", "net/http/httptest", "net/http/httputil", "net/http/internal/http2",
}

// networks marks the packages that the program's network consists of. It returns the
// patterns but that which asks for it.
func (u *unit) networks(patterns []string) []string {
	i := slices.Index(patterns, Network)
	if i < 0 || u.byPath[Network] == nil {
		return slices.DeleteFunc(slices.Clone(patterns), func(p string) bool { return p == Network })
	}
	u.network = true
	for _, n := range u.nodes {
		n.networking = n.listed.Module == nil && slices.Contains(networking, n.listed.PkgPath)
	}
	return slices.Delete(slices.Clone(patterns), i, i+1)
}
