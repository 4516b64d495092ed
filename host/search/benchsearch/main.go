// Command benchsearch measures the tool search on public sets of tools and
// queries whose answers are known, beside two baselines that it computes in the
// same run: BM25 of the textbook over name and description (plain), and BM25F
// with stemming and stop words (fields).
//
// It reads the folder TOOLCRIB_BENCH_DATA (../shared/testdata/toolsearch) and of
// it the queries of TOOLCRIB_BENCH_SPLIT (dev), and prints a table, or JSON with
// --json. Without the data it says so and succeeds, since the data is not part of
// this repository.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	asJSON := flag.Bool("json", false, "print figures as JSON")
	flag.Parse()
	if err := run(*asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "benchsearch:", err)
		os.Exit(1)
	}
}

func run(asJSON bool) error {
	dir := cmp.Or(os.Getenv("TOOLCRIB_BENCH_DATA"), "../shared/testdata/toolsearch")
	split := cmp.Or(os.Getenv("TOOLCRIB_BENCH_SPLIT"), "dev")
	data, err := load(dir, split)
	if errors.Is(err, errNoData) {
		fmt.Fprintf(os.Stderr, "nothing to measure: %v\nhint: set TOOLCRIB_BENCH_DATA to a folder with the tool-search sets, and TOOLCRIB_BENCH_SPLIT to a split it has\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	report := measureAll(data, split)
	if asJSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(report)
	}
	return report.print(os.Stdout)
}
