module example.com/stringbuffer

go 1.25
