toolcrib {}

variable "x" {
  default = try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(try(1)))))))))))))))))))))))) #@diag("The value is too large")
}
