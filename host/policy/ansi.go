package policy

import (
	"strconv"
	"strings"
)

// decodeANSI reads the text of $'...' as bash does (its manual, "ANSI-C
// Quoting"). ok is false for what shells read in different ways.
func decodeANSI(value string) (text string, ok bool) {
	var out strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' {
			out.WriteByte(value[i])
			continue
		}
		i++
		if i >= len(value) {
			return "", false
		}
		switch c := value[i]; c {
		case 'x':
			i += decodeNumber(&out, value[i+1:], 16, 2, false)
		case 'u':
			i += decodeNumber(&out, value[i+1:], 16, 4, true)
		case 'U':
			i += decodeNumber(&out, value[i+1:], 16, 8, true)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i += decodeNumber(&out, value[i:], 8, 3, false) - 1
		case 'c':
			return "", false
		default:
			j := strings.IndexByte(`abeEfnrtv\'"?`, c)
			if j < 0 {
				return "", false
			}
			out.WriteByte("\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[j])
		}
	}
	// A NUL ends the text; shells differ in what follows it.
	decoded := out.String()
	return decoded, !strings.ContainsRune(decoded, 0)
}

// decodeNumber writes the character of up to size digits, and answers how many
// there were. Without a digit the escape stays as it is.
func decodeNumber(out *strings.Builder, rest string, base, size int, isRune bool) (digits int) {
	for digits < size && digits < len(rest) && isDigit(rest[digits], base) {
		digits++
	}
	if digits == 0 {
		out.WriteString(`\x`)
		return 0
	}
	n, err := strconv.ParseUint(rest[:digits], base, 32)
	switch {
	case err != nil:
		return digits
	case isRune:
		out.WriteRune(rune(n))
	default:
		out.WriteByte(byte(n))
	}
	return digits
}

func isDigit(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
