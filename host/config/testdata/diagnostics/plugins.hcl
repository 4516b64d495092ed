toolcrib {}

plugin "words" {
  command = ["./bin/words"]
}

plugin "words" { #@diag("The first one is at config.hcl:3.")
  command = ["./bin/other"]
}

plugin { #@diag("All plugin blocks must have 1 labels")
}

plugin "my words" { #@diag("no ' '")
}

plugin "a__b" { #@diag("no double underscore")
}

plugin "builtin" {
  command = ["./mine"] #@diag("is served by toolcrib itself")
}

plugin "one" {
  command = "./bin/one" #@diag("It must be a list of strings, and this is a string.")
}

plugin "two" {
  command = ["./bin/two", 2] #@diag("Put it in quotes: \"2\".")
}

plugin "three" {
  command = [] #@diag("Name the program and its arguments")
}

plugin "four" {
  command = ["./bin/four"]
  env     = { A = 1, "B=C" = "d" } #@diag("Put it in quotes: \"1\".") #@diag("has no = in it")
}

plugin "five" {
  command = ["./bin/five", "${HOME}"] #@diag("default = env(\"HOME\")")
}

plugin "six" {
  command = ["./bin/six"]
  config {}
  config {} #@diag("The first one is at config.hcl:47.")
}

plugin "seven" { #@diag("Name the program that serves it")
}
