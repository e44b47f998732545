module example.com/tsp

go 1.25
