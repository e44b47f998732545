module example.com/locator

go 1.25
