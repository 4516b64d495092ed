package policy

import (
	"fmt"
	"slices"
	"strings"
)

// plainVariables may be set for a command without changing what it does beyond
// how it prints or which platform it builds for.
var plainVariables = strings.Fields(`
	BLOCKSIZE BLOCK_SIZE CGO_ENABLED CHARSET CI COLORTERM COLUMNS FORCE_COLOR GCC_COLORS GO111MODULE GOARCH GOEXPERIMENT GOOS
	GREP_COLOR GREP_COLORS LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME LINES LSCOLORS LS_COLORS
	NODE_ENV NO_COLOR PYTEST_DEBUG PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED RUST_BACKTRACE RUST_LOG TERM TIME_STYLE TZ`)

// environment tells what speaks against the variables that are set for a command;
// empty for nothing. The first spelled ones are in the rule.
func environment(command *Command, spelled int) string {
	for i, assign := range command.Assigns {
		if i < spelled {
			continue
		}
		if !slices.Contains(plainVariables, assign.Name) {
			return fmt.Sprintf("setting %s may change what it does", assign.Name)
		}
		if !assign.Value.Static || strings.Trim(assign.Value.Text, plainCharacters) != "" {
			return fmt.Sprintf("the value of %s is not a plain word", assign.Name)
		}
	}
	return ""
}

const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-"

// changesPrograms tells whether a variable of a shell is one that shells and
// other programs take instructions from. A variable that is not exported changes
// no program; one that is may be any, so this lists those that many sessions
// export and that choose what runs.
func changesPrograms(name string) bool {
	upper := strings.ToUpper(name)
	for _, prefix := range []string{"LD_", "DYLD_", "BASH_", "GIT_", "PYTHON", "NODE_", "PERL", "RUBY", "JAVA", "JDK_", "GO", "CARGO", "RUST", "NPM_", "SSH_", "LESS", "MAN", "DOCKER_", "KUBE", "AWS_", "XDG_", "ZSH", "MAKE", "CMAKE_"} {
		if strings.HasPrefix(upper, prefix) {
			return true
		}
	}
	for _, suffix := range []string{"PATH", "PAGER", "EDITOR", "SHELL", "OPTIONS", "OPTS", "FLAGS", "COMMAND", "HOME", "PROXY", "BROWSER", "VISUAL"} {
		if strings.HasSuffix(upper, suffix) {
			return true
		}
	}
	return slices.Contains([]string{"IFS", "ENV", "PS4", "PS1", "CC", "CXX", "LD", "AR", "SHELLOPTS", "BASHOPTS", "TMPDIR", "FPATH", "HISTFILE", "EXINIT", "VIMINIT"}, upper)
}
