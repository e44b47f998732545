module example.com/relock

go 1.25
