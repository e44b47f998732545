module example.com/pingpong

go 1.25
