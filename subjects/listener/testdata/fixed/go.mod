module example.com/listener

go 1.25
