module example.com/publisher

go 1.25
