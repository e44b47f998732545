// Package sectionedit edits critical sections: it finds a section of the original again in the
// tree of a mutation, moves its bounds, takes its lock away or replaces it, and refuses where
// another edit has changed the section.
package sectionedit
