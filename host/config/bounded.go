package config

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// maxResult is the longest text, in bytes, of a function whose result can be
// longer than all that it is given.
const maxResult = 1 << 20

// bounded wraps a function whose arguments are checked before it is called.
// Those that are not known, or null, are left to the function.
func bounded(f function.Function, check func(args []cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Params:   f.Params(),
		VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			plain := make([]cty.Value, len(args))
			usable := true
			for i, arg := range args {
				plain[i], _ = arg.UnmarkDeep()
				usable = usable && arg.IsWhollyKnown() && !arg.IsNull()
			}
			if usable {
				if err := check(plain); err != nil {
					return cty.NilType, err
				}
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}

// fits refuses a result of so many bytes, if that is too many.
func fits(size int) error {
	if size > maxResult {
		return fmt.Errorf("the text would be longer than %d KiB; make it of shorter ones", maxResult>>10)
	}
	return nil
}

var replaceFunction = bounded(stdlib.ReplaceFunc, func(args []cty.Value) error {
	text, old, replacement := args[0].AsString(), args[1].AsString(), args[2].AsString()
	return fits(len(text) + strings.Count(text, old)*max(len(replacement)-len(old), 0))
})

var joinFunction = bounded(stdlib.JoinFunc, func(args []cty.Value) error {
	separator, size := args[0].AsString(), 0
	for _, list := range args[1:] {
		size += weigh(list, maxResult) + list.LengthInt()*len(separator)
	}
	return fits(size)
})

// wideVerb is a verb of format that would make a text of megabytes.
var wideVerb = regexp.MustCompile(`%[^a-zA-Z%]*[0-9]{5}`)

const (
	// widestVerb is what a verb may add to its argument, in bytes.
	widestVerb = 9999
	// maxQuoted is how many bytes a byte becomes in quotes.
	maxQuoted = 6
)

var formatFunction = bounded(stdlib.FormatFunc, func(args []cty.Value) error {
	text := args[0].AsString()
	if wideVerb.MatchString(text) {
		return function.NewArgErrorf(0, "a width has at most four digits")
	}
	// A verb may name an argument that another one has named.
	longest := 0
	for _, arg := range args[1:] {
		longest = max(longest, weigh(arg, maxResult))
	}
	return fits(len(text) + strings.Count(text, "%")*(widestVerb+maxQuoted*longest))
})

// jsondecodeFunction is that of the library, which recurses, within bounds.
var jsondecodeFunction = bounded(stdlib.JSONDecodeFunc, func(args []cty.Value) error { return decodable(args[0].AsString()) })

func decodable(text string) error {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	for depth := 0; ; {
		token, err := decoder.Token()
		if err != nil {
			return nil // the end, or a fault that the library reports
		}
		switch token := token.(type) {
		case json.Delim:
			if token == '{' || token == '[' {
				depth++
			} else {
				depth--
			}
			if depth > maxDepth {
				return fmt.Errorf("brackets nest deeper than %d levels", maxDepth)
			}
		case json.Number:
			if hugeNumber(token.String()) {
				return fmt.Errorf("the number %s is too large", token)
			}
		}
	}
}
