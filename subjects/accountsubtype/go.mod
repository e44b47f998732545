module example.com/accountsubtype

go 1.25
