module example.com/buffer

go 1.25
