package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/policy/foreign"
)

const (
	claudeSettings = ".claude/settings.json"
	mcpServers     = ".mcp.json"
	localFile      = "config.local.hcl"
)

// surroundings are what init finds in a folder.
type surroundings struct {
	languages []string
	commands  []string // that test and check, by the languages found
	rules     *foreign.Rules
	servers   []string // of .mcp.json
	problems  []string // files that could not be read, and why
	// offersIgnore tells that it is a git repository that does not ignore the
	// local file yet.
	offersIgnore bool
	instructions []string // files that are written for agents
}

// language is recognised by a file, and brings commands.
type language struct {
	name, file string
	commands   func(dir string, text []byte) []string
}

func fixed(commands ...string) func(string, []byte) []string {
	return func(string, []byte) []string { return commands }
}

var languages = []language{
	{"Go", "go.mod", fixed("go build ./...", "go vet ./...", "go test ./...")},
	{"JavaScript", "package.json", scripts},
	{"Deno", "deno.json", fixed("deno check", "deno lint", "deno test")},
	{"Python", "pyproject.toml", pythonTests},
	{"Python", "requirements.txt", pythonTests},
	{"Rust", "Cargo.toml", fixed("cargo build", "cargo check", "cargo test")},
	{"Java", "pom.xml", fixed("mvn test")},
	{"Java or Kotlin", "gradlew", fixed("./gradlew test")},
	{"Ruby", "Gemfile", fixed("bundle exec rake test")},
	{"Elixir", "mix.exs", fixed("mix test")},
	{"PHP", "composer.json", fixed("composer test")},
	{"make", "Makefile", makeTargets},
}

// scripts are the commands that package.json has for tests and checks, by the
// package manager whose lock file is there.
func scripts(dir string, text []byte) []string {
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(text, &manifest) != nil {
		return nil
	}
	run := "npm run"
	for _, manager := range []struct{ lock, run string }{
		{"pnpm-lock.yaml", "pnpm run"}, {"yarn.lock", "yarn run"}, {"bun.lock", "bun run"}, {"bun.lockb", "bun run"},
	} {
		if exists(filepath.Join(dir, manager.lock)) {
			run = manager.run
		}
	}
	var commands []string
	for _, name := range []string{"build", "lint", "test", "typecheck"} {
		if _, ok := manifest.Scripts[name]; ok {
			commands = append(commands, run+" "+name)
		}
	}
	return commands
}

func pythonTests(dir string, _ []byte) []string {
	if exists(filepath.Join(dir, "uv.lock")) {
		return []string{"uv run pytest"}
	}
	return []string{"pytest", "python3 -m pytest"}
}

var makeTarget = regexp.MustCompile(`(?m)^(build|check|lint|test)[ \t]*:([^=]|$)`)

func makeTargets(_ string, text []byte) []string {
	var commands []string
	for _, match := range makeTarget.FindAllSubmatch(text, -1) {
		commands = append(commands, "make "+string(match[1]))
	}
	slices.Sort(commands)
	return slices.Compact(commands)
}

// lookAround reads what a folder has. What cannot be read is told of and left out.
func lookAround(dir string) *surroundings {
	s := &surroundings{}
	for _, l := range languages {
		text, ok := s.read(dir, l.file)
		if !ok {
			continue
		}
		if !slices.Contains(s.languages, l.name) {
			s.languages = append(s.languages, l.name)
		}
		for _, command := range l.commands(dir, text) {
			if !slices.Contains(s.commands, command) {
				s.commands = append(s.commands, command)
			}
		}
	}
	if text, ok := s.read(dir, claudeSettings); ok {
		rules, err := foreign.Claude(text)
		if err != nil {
			s.problem(claudeSettings, err)
		} else if len(rules.Rules)+len(rules.Unequal) > 0 {
			s.rules = rules
		}
	}
	if text, ok := s.read(dir, mcpServers); ok {
		s.readServers(text)
	}
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		if exists(filepath.Join(dir, name)) {
			s.instructions = append(s.instructions, name)
		}
	}
	s.offersIgnore = inRepository(dir) && !s.ignoresLocal(dir)
	return s
}

// maxFound is the largest file that is looked into, in bytes.
const maxFound = 4 << 20

func (s *surroundings) read(dir, name string) (text []byte, ok bool) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, false
	}
	if err == nil {
		text, err = readUpTo(path, maxFound)
	}
	if err != nil {
		s.problem(name, err)
	}
	return text, err == nil
}

func readUpTo(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("it is larger than %d MiB", most>>20)
	}
	return text, err
}

func (s *surroundings) problem(name string, err error) {
	s.problems = append(s.problems, fmt.Sprintf("%s was left out: %v", name, err))
}

func (s *surroundings) readServers(text []byte) {
	var found struct {
		Servers map[string]json.RawMessage `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &found); err != nil {
		s.problem(mcpServers, err)
		return
	}
	s.servers = slices.Sorted(maps.Keys(found.Servers))
}

// notes tell what was found, and what can't be taken over, one line each.
func (s *surroundings) notes() []string {
	var lines []string
	if len(s.languages) > 0 {
		lines = append(lines, "found "+strings.Join(s.languages, ", "))
	}
	if s.rules != nil {
		lines = append(lines, fmt.Sprintf("found %s with %d rules that Toolcrib can take over, and %d parts that it can't", claudeSettings, len(s.rules.Rules), len(s.rules.Unequal)))
	}
	if len(s.servers) > 0 {
		lines = append(lines, fmt.Sprintf("found %s (%s): this version has no bridge to MCP servers, so they are not taken over", mcpServers, strings.Join(s.servers, ", ")))
	}
	if len(s.instructions) > 0 {
		lines = append(lines, fmt.Sprintf("found %s: agents read it themselves, and nothing of it is taken over", strings.Join(s.instructions, ", ")))
	}
	return append(lines, s.problems...)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// inRepository reports whether a folder is in a git repository, or a work tree.
func inRepository(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, ".git")) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

func (s *surroundings) ignoresLocal(dir string) bool {
	text, _ := s.read(dir, ".gitignore")
	for line := range bytes.Lines(text) {
		switch string(bytes.TrimPrefix(bytes.TrimSpace(line), []byte("/"))) {
		case localFile, "*.local.hcl":
			return true
		}
	}
	return false
}
