toolcrib {}

variable "l" {
  default = [for i in split(" ", "x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x") : [i]]
}

variable "x" {
  default = var.l[*][var.l[*][var.l[*][var.l[*][0]]]] #@diag("The value is too large")
}
