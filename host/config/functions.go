package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are those that the expressions of a file may call, besides env.
func (l *loader) functions(layer *layer) map[string]function.Function {
	return map[string]function.Function{
		"basename":   textFunction("path", func(path string) (string, error) { return filepath.Base(path), nil }),
		"can":        tryfunc.CanFunc,
		"coalesce":   stdlib.CoalesceFunc,
		"concat":     stdlib.ConcatFunc,
		"dirname":    textFunction("path", func(path string) (string, error) { return filepath.Dir(path), nil }),
		"file":       textFunction("path", func(path string) (string, error) { return l.file(layer, path) }),
		"format":     formatFunction,
		"join":       joinFunction,
		"jsondecode": jsondecodeFunction,
		"jsonencode": stdlib.JSONEncodeFunc,
		"lower":      stdlib.LowerFunc,
		"merge":      stdlib.MergeFunc,
		"pathexpand": textFunction("path", l.pathexpand),
		"replace":    replaceFunction,
		"split":      stdlib.SplitFunc,
		"trimspace":  stdlib.TrimSpaceFunc,
		"try":        tryfunc.TryFunc,
		"upper":      stdlib.UpperFunc,
	}
}

// Functions are the names of the functions that a configuration may call.
func Functions() []string {
	names := []string{"env"}
	for name := range (&loader{}).functions(&layer{}) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// textFunction makes a function from one string to another.
func textFunction(parameter string, f func(string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: parameter, Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			text, err := f(args[0].AsString())
			if err != nil {
				return cty.NilVal, err
			}
			return cty.StringVal(text), nil
		},
	})
}

// file reads a text file. A workspace reads only what is inside of it, links
// followed.
func (l *loader) file(layer *layer, path string) (string, error) {
	full := layer.within(path)
	// A named pipe would wait for its writer.
	const flags = os.O_RDONLY | syscall.O_NONBLOCK
	var file *os.File
	var err error
	if layer.kind.Foreign() {
		file, err = openInside(l.config.Workspace, full, flags)
	} else {
		file, err = os.OpenFile(full, flags, 0)
	}
	if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", full, reason(err))
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("cannot read %s: %w", full, errNoFile)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot read %s: %w", full, reason(err))
	case len(text) > maxFile:
		return "", fmt.Errorf("%s is larger than %d KiB", full, maxFile>>10)
	case !utf8.Valid(text):
		return "", fmt.Errorf("%s is not UTF-8 text", full)
	}
	if !slices.Contains(l.config.Files, full) {
		l.config.Files = append(l.config.Files, full)
	}
	return string(text), nil
}

func openInside(workspace, path string, flags int) (*os.File, error) {
	relative, err := filepath.Rel(workspace, path)
	if err != nil || !filepath.IsLocal(relative) {
		return nil, errors.New("it is outside of the workspace")
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.OpenFile(relative, flags, 0)
}

// reason is an error without the path that is said already.
func reason(err error) error {
	var fault *os.PathError
	if errors.As(err, &fault) {
		return fault.Err
	}
	return err
}

// pathexpand replaces a leading ~ by the person's home.
func (l *loader) pathexpand(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && rest[0] != '/' {
		return path, nil
	}
	home, _ := l.lookup("HOME")
	if home == "" {
		return "", errors.New("the environment variable HOME is not set")
	}
	return filepath.Join(home, rest), nil
}
