// Package seeded repairs faults that were seeded into libraries.
//
// Run copies libraries at exact versions from the module cache, seeds faults into
// their packages as "mendel seed" does, and chooses as many of each library as
// are wanted among those that the library's own tests notice, by turns of the
// packages and operators; what one library cannot give is taken from the others.
// With Options.Repair each variant is repaired and the best patch verified: git
// applies it to another copy of the variant, noised runs and the checker must not
// fail, and the source is compared with that before the fault was seeded. Tests
// that noise delays by more than they allow, and that fail so without a fault, do
// not count there. A patch is the exact inverse if only comments differ.
//
// Everything is saved after each step, and the same command goes on where it
// was stopped.
package seeded
