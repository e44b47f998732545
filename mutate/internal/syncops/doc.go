// Package channelops tells operators what a statement does to channels, wait
// groups and goroutines: what the operators on the life of channels share.
package channelops
