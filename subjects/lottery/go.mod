module example.com/lottery

go 1.25
