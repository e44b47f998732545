// Package locking holds what the operators that add locks have in common:
// which locks are worth trying at a place ([Candidates]) and which can be held
// there ([Reassigned], [StartsAcquirer]), what the comment above the acquisition
// says ([Note]) and where there is none ([Comment]), and how some statements
// ([Span]) or a whole function body ([Body]) are put under a lock.
package locking
