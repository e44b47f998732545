module example.com/linkedlist

go 1.25
