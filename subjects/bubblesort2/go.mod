module example.com/bubblesort2

go 1.25
