package tree

import "testing"

// Each of many nodes is found at its index, and no others are.
func TestNodeIndex(t *testing.T) {
	type node struct{ int }
	for _, size := range []int{0, 1, 2, 3, 1000} {
		nodes := make([]*node, size)
		for i := range nodes {
			if i%7 != 3 { // the others have no syntax
				nodes[i] = &node{i}
			}
		}
		o := newNodeIndex(nodes)
		for i, n := range nodes {
			if at, ok := indexOf(o, nodes, n); n != nil && (!ok || at != i) {
				t.Errorf("of %d nodes, node %d is found at %d: %t", size, i, at, ok)
			}
		}
		if at, ok := indexOf(o, nodes, &node{}); ok {
			t.Errorf("of %d nodes, another one is found at %d", size, at)
		}
		if _, ok := indexOf(o, nodes, nil); ok {
			t.Errorf("of %d nodes, none is found", size)
		}
	}
}
