toolcrib {}

variable "x" {
  default = "%{ for x0 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }%{ for x1 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }%{ for x2 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }%{ for x3 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }%{ for x4 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }%{ for x5 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }%{ for x6 in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }x%{ endfor }%{ endfor }%{ endfor }%{ endfor }%{ endfor }%{ endfor }%{ endfor }" #@diag("The value is too large")
}
