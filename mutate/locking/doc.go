// Package locking holds what the operators that add locks have in common:
// which locks are worth trying at a place ([Candidates]), what the comment
// above the acquisition says ([Note]), and how a whole function body is put
// under a lock ([Body]).
package locking
