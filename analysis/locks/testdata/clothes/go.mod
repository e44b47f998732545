module example.com/clothes

go 1.25
