module example.com/topic

go 1.25
