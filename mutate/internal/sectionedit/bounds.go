package sectionedit

// MaxMoves is how many statements one edit moves the bound of a section over
// at most. A guess: fixes in the literature move one or two.
const MaxMoves = 8

// Unneeded is what the heat of an edit is worth that shortens a section by
// statements which wait for nobody: it costs little and mends little. A guess.
const Unneeded = 0.5
