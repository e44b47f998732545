package tree

import (
	"math/bits"
	"reflect"

	"github.com/dave/dst"
)

// nodeIndex finds the index of a node in a list of nodes, all of them pointers. It
// is a hash table with linear probing of the indexes alone: a map would hold the nodes
// again, which all files' together take more memory than their edits.
type nodeIndex struct {
	table []int32 // index and one; 0: free
	shift int
}

func newNodeIndex[N comparable](nodes []N) nodeIndex {
	return nodeIndexOf(nodes, len(nodes))
}

// nodeIndexOf is newNodeIndex with room for more nodes.
func nodeIndexOf[N comparable](nodes []N, room int) nodeIndex {
	size := 1 << bits.Len(uint(room*4/3+1))
	o := nodeIndex{table: make([]int32, size), shift: 64 - bits.Len(uint(size-1))}
	insert(o, nodes, 0)
	return o
}

// with is the table for a list that has grown since it had the known nodes. It
// may change o.
func (o nodeIndex) with(nodes []dst.Node, known int) nodeIndex {
	if len(nodes)*4/3 >= len(o.table) {
		return nodeIndexOf(nodes, len(nodes)+known)
	}
	insert(o, nodes, known)
	return o
}

// insert puts the nodes from one on into a table that has room.
func insert[N comparable](o nodeIndex, nodes []N, first int) {
	var none N
	for i, n := range nodes[first:] {
		if n == none {
			continue
		}
		at := o.home(n)
		for o.table[at] != 0 && nodes[o.table[at]-1] != n {
			at = (at + 1) & (len(o.table) - 1)
		}
		o.table[at] = int32(first + i + 1)
	}
}

// home is where the search for a node begins. Objects do not move in memory.
func (o nodeIndex) home(n any) int {
	const golden = 0x9E3779B97F4A7C15 // Knuth, The Art of Computer Programming, 6.4
	return int(uint64(reflect.ValueOf(n).Pointer()) * golden >> o.shift)
}

// indexOf is the index of a node among those that o was made of.
func indexOf[N comparable](o nodeIndex, nodes []N, n N) (i int, ok bool) {
	var none N
	if n == none || len(o.table) == 0 {
		return 0, false
	}
	for at := o.home(n); o.table[at] != 0; at = (at + 1) & (len(o.table) - 1) {
		if i := int(o.table[at]) - 1; nodes[i] == n {
			return i, true
		}
	}
	return 0, false
}
