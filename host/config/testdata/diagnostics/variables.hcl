toolcrib {}

variable "lang" {
  default = "en"
}

variable "unset" { #@diag("Give it with --var unset=... or in the environment as TOOLCRIB_VAR_unset")
  description = "Where the notes are."
}

variable "a" {
  default = "${var.b}/x" #@diag("a needs b needs c needs a")
}

variable "b" {
  default = var.c
}

variable "c" {
  default = upper(var.a)
}

variable "itself" {
  default = var.itself #@diag("itself needs itself")
}

variable "lang" { #@diag("The first one is at config.hcl:3.")
}

variable "not-a word" { #@diag("A variable's name is a word")
}

variable "typo" {
  defalt    = "x" #@diag("Did you mean \"default\"?")
  sensitive = "yes" #@diag("It must be true or false")
}

plugin "one" {
  command = ["./one", var.lnag] #@diag("Did you mean \"lang\"?")
}

plugin "two" {
  command = ["./two", "in ${var.unset}", var.a, upper(var.itself)]
}

plugin "three" {
  command = ["./three", uper(var.lang)] #@diag("Did you mean \"upper\"?")
}

plugin "four" {
  command = ["./four", env("HOME")] #@diag("It works only in the default of a variable")
}

plugin "five" {
  command = ["./five", path.workspce] #@diag("Did you mean \"workspace\"?")
}

plugin "six" {
  command = ["./six", lang] #@diag("Text is written in quotes: \"lang\".")
}

plugin "seven" {
  command = ["./seven", join(var.lang, 3)] #@diag("Invalid function argument")
}

plugin "eight" {
  command = ["./eight", jsondecode(var.lang)] #@diag("The function jsondecode fails")
}

plugin "nine" {
  command = concat(["./nine"], [1]) #@diag("It must be a string, and this is a number.")
  env     = var.lang #@diag("It must be an object of strings, and this is a string.")
}

plugin "ten" {
  command = ["./ten", file("../outside")] #@diag("it is outside of the workspace")
}

plugin "eleven" {
  command = ["./eleven", file("none")] #@diag("no such file")
}

plugin "twelve" {
  command = ["./twelve", format("%099999d", 1)] #@diag("A width has at most four digits")
}

policy {
  deny = ["Read(${var.lnag})"] #@diag("No variable is called \"lnag\"")
  ask  = ["Bash(${var.lang}"] #@diag("its parenthesis is not closed")
}

plugin "thirteen" {
  command = ["./thirteen", jsonencode(var)] #@diag("Write var and a name behind it")
}

hook "guard" {
  event   = "stop"
  command = ["guard"]
}

hook "gaurd" { #@diag("Did you mean \"guard\"?")
  timeout = "5s"
}

plugin "fourteen" {
  command = [upper(1, 2)] #@diag("Too many function arguments")
}
