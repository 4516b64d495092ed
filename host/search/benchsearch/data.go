package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// tool is a line of tools.jsonl.
type tool struct {
	Name              string          `json:"name"`
	Title             string          `json:"title"`
	Description       string          `json:"description"`
	Schema            json.RawMessage `json:"schema"`
	Server            string          `json:"server"`
	ServerDescription string          `json:"server_description"`
}

// query is a line of queries.*.jsonl.
type query struct {
	Query    string   `json:"query"`
	Relevant []string `json:"relevant"`
	Group    string   `json:"group"`
	// ID groups the queries of one task.
	ID string `json:"id"`
	// Equiv lists tools that count as the same as a relevant one.
	Equiv map[string][]string `json:"equiv"`
}

// set is one folder of the data: tools and queries whose answers are known.
type set struct {
	name    string
	tools   []tool
	queries []query
}

// setNames are the folders with queries, in the order of the table.
var setNames = []string{"metatool", "sealtools", "livemcpbench", "toolbench", "bfcl"}

// taskSet is the set whose tasks a model worked on.
const taskSet = "livemcpbench"

// errNoData tells that there is nothing to measure with.
var errNoData = errors.New("no data")

// data is all that is measured with.
type data struct {
	sets []set
	// distractors are tools that no query asks for.
	distractors []tool
	// written are queries that a model wrote while it worked on the tasks of
	// livemcpbench.
	written []query
}

// load reads the queries of one split and the tools of all.
func load(dir, split string) (*data, error) {
	var d data
	var err error
	for _, name := range setNames {
		s := set{name: name}
		if s.tools, err = lines[tool](filepath.Join(dir, name, "tools.jsonl")); err != nil {
			return nil, err
		}
		if s.queries, err = lines[query](filepath.Join(dir, name, "queries."+split+".jsonl")); err != nil {
			return nil, err
		}
		d.sets = append(d.sets, s)
	}
	if d.distractors, err = lines[tool](filepath.Join(dir, "distractors", "tools.jsonl")); err != nil {
		return nil, err
	}
	d.written, err = lines[query](filepath.Join(dir, taskSet, "model_queries."+split+".jsonl"))
	return &d, err
}

// lines reads a file of JSON values, one a line.
func lines[T any](path string) ([]T, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is missing", errNoData, path)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var values []T
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var value T
		if err := json.Unmarshal(scanner.Bytes(), &value); err != nil {
			return nil, fmt.Errorf("read line %d of %s: %w", len(values)+1, path, err)
		}
		values = append(values, value)
	}
	return values, scanner.Err()
}
