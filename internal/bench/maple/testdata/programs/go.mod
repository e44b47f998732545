module example.com/maple

go 1.24
