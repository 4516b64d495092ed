toolcrib {}

variable "x" {
  default = [for x0 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [for x1 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [for x2 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [for x3 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [for x4 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [for x5 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [for x6 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : 1]]]]]]] #@diag("The value is too large")
}

variable "depends" {
  default = [for x in var.x : x]
}

variable "stands" {
  default = "plain"
}
