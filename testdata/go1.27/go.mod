module example.com/language

go 1.27
