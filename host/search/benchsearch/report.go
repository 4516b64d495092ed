package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// report is what is printed.
type report struct {
	Split string `json:"split"`
	// Alone has each set searched among its own tools, Pooled among the tools
	// of all sets and the distractors. The last row of each is the mean.
	Alone  []row `json:"alone"`
	Pooled []row `json:"pooled"`
	// Learned has ours after each tool learned from queries of the other half.
	Learned []learnedRow  `json:"learned"`
	Tasks   []coverageRow `json:"task_coverage"`
	Speed   speed         `json:"speed"`
}

// row compares the searches on one set.
type row struct {
	Set     string  `json:"set"`
	Tools   int     `json:"tools"`
	Queries int     `json:"queries"`
	Plain   figures `json:"plain"`
	Fields  figures `json:"fields"`
	Ours    figures `json:"ours"`
}

// coverageRow compares the share of a task's tools that its queries find.
type coverageRow struct {
	Depth  int     `json:"depth"`
	Plain  float64 `json:"plain"`
	Fields float64 `json:"fields"`
	Ours   float64 `json:"ours"`
}

// learnedRow tells what learning from use adds, on the queries that were not
// learned from.
type learnedRow struct {
	Set    string  `json:"set"`
	Before figures `json:"before"`
	After  figures `json:"after"`
}

// speed is measured in the pool of all tools, with the queries of all sets.
type speed struct {
	Tools int           `json:"tools"`
	Build time.Duration `json:"build_ns"`
	P50   time.Duration `json:"p50_ns"`
	P99   time.Duration `json:"p99_ns"`
}

func measureAll(d *data, split string) *report {
	r := &report{Split: split}
	for _, s := range d.sets {
		alone := corpus{s}
		r.Alone = append(r.Alone, compare(s, alone, engines(alone)))
		r.Learned = append(r.Learned, learn(s))
		if s.name == taskSet {
			r.Tasks = tasks(s.name, d.written, engines(alone))
		}
	}
	pool := append(corpus{{name: "distractors", tools: d.distractors}}, d.sets...)
	all := engines(pool)
	for _, s := range d.sets {
		r.Pooled = append(r.Pooled, compare(s, pool, all))
	}
	r.Alone = append(r.Alone, mean(r.Alone))
	r.Pooled = append(r.Pooled, mean(r.Pooled))
	r.Speed = measureSpeed(pool)
	return r
}

// engines are plain, fields and ours.
func engines(c corpus) [3]engine {
	ours, _ := c.ours()
	return [3]engine{c.baseline(plain), c.baseline(fields), ours}
}

func compare(s set, in corpus, searches [3]engine) row {
	r := row{Set: s.name, Queries: len(s.queries)}
	for _, part := range in {
		r.Tools += len(part.tools)
	}
	for i, to := range []*figures{&r.Plain, &r.Fields, &r.Ours} {
		*to = measure(s.queries, func(q string) []string { return searches[i](s.name, q) })
	}
	return r
}

func mean(rows []row) row {
	m := row{Set: "mean"}
	for _, r := range rows {
		m.Queries += r.Queries
		m.Plain.add(r.Plain, len(rows))
		m.Fields.add(r.Fields, len(rows))
		m.Ours.add(r.Ours, len(rows))
	}
	return m
}

func tasks(name string, written []query, searches [3]engine) []coverageRow {
	var rows []coverageRow
	for _, k := range []int{3, 5, 10} {
		r := coverageRow{Depth: k}
		for i, to := range []*float64{&r.Plain, &r.Fields, &r.Ours} {
			*to = coverage(written, k, func(q string) []string { return searches[i](name, q) })
		}
		rows = append(rows, r)
	}
	return rows
}

// learn teaches every second query to the tools that answer it and asks the others.
func learn(s set) learnedRow {
	var asked, taught []query
	for i, q := range s.queries {
		if i%2 == 0 {
			asked = append(asked, q)
		} else {
			taught = append(taught, q)
		}
	}
	ours, index := corpus{s}.ours()
	search := func(q string) []string { return ours(s.name, q) }
	r := learnedRow{Set: s.name, Before: measure(asked, search)}
	for _, q := range taught {
		for _, tool := range q.Relevant {
			index.Learn(tool, q.Query)
		}
	}
	r.After = measure(asked, search)
	return r
}

func measureSpeed(pool corpus) speed {
	begin := time.Now()
	ours, index := pool.ours()
	s := speed{Build: time.Since(begin), Tools: index.Len()}
	var took []time.Duration
	for _, part := range pool {
		for _, q := range part.queries {
			begin := time.Now()
			ours(part.name, q.Query)
			took = append(took, time.Since(begin))
		}
	}
	slices.Sort(took)
	if len(took) > 0 {
		s.P50, s.P99 = took[len(took)/2], took[len(took)*99/100]
	}
	return s
}

func (r *report) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, part := range []struct {
		title string
		rows  []row
	}{{"each set among its own tools", r.Alone}, {"each set in the pool of all tools", r.Pooled}} {
		fmt.Fprintf(t, "%s (split %s): R@1 / R@5 / R@10 / nDCG@10\nset\ttools\tqueries\tplain\tfields\tours\n", part.title, r.Split)
		for _, row := range part.rows {
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\n", row.Set, row.Tools, row.Queries, row.Plain, row.Fields, row.Ours)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "after learning from half of the queries, asked the other half\nset\tbefore\tafter\n")
	for _, row := range r.Learned {
		fmt.Fprintf(t, "%s\t%s\t%s\n", row.Set, row.Before, row.After)
	}
	fmt.Fprintf(t, "\ntask coverage of queries that a model wrote\ndepth\tplain\tfields\tours\n")
	for _, row := range r.Tasks {
		fmt.Fprintf(t, "%d\t%.1f\t%.1f\t%.1f\n", row.Depth, row.Plain, row.Fields, row.Ours)
	}
	fmt.Fprintf(t, "\n%d tools: built in %s, a query takes %s (p50), %s (p99)\n",
		r.Speed.Tools, r.Speed.Build.Round(time.Millisecond), r.Speed.P50.Round(time.Microsecond), r.Speed.P99.Round(time.Microsecond))
	return t.Flush()
}
