// Package typetext writes types and their zero values as code at a place of a function would.
package typetext
