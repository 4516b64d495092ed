toolcrib {}

hook "one" {
  event   = "pre_tool" #@diag("It must be one of \"pre_tool_use\"")
  command = ["./one.sh"]
}

hook "two" {
  event   = "pre_tool_ues" #@diag("Did you mean \"pre_tool_use\"?")
  command = [] #@diag("as in command = [\"./guard.sh\"]")
}

hook "three" { #@diag("Add an argument \"command\", as in command = [\"./guard.sh\"].")
  event = "stop"
}

hook "four" { #@diag("Add an argument \"event\", as in event = \"pre_tool_use\" and an argument \"command\"")
}

hook "five" {
  event    = "stop"
  command  = ["five"]
  timeout  = "5" #@diag("Write a number with a unit")
  on_error = "wran" #@diag("Did you mean \"warn\"?")
  matcher  = "Bash(" #@diag("missing closing )")
}

hook "six" {
  event   = "stop"
  command = ["six"]
  timeout = "11m" #@diag("more than 0 and at most 10m")
}

hook "seven" {
  event   = "stop"
  command = ["seven"]
  timeout = 5 #@diag("It must be a string, and this is a number. Put it in quotes: \"5\".")
}

hook "eight" {
  event    = "stop"
  command  = ["eight"]
  timeout  = "-5s" #@diag("more than 0")
  maksher  = "" #@diag("Did you mean \"matcher\"?")
}

hook "six" { #@diag("The first one is at config.hcl:28.")
  event   = "stop"
  command = ["six"]
}

hook "a b" { #@diag("A hook's name has letters")
}

hok "nine" { #@diag("Did you mean \"hook\"?")
}
