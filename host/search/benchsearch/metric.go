package main

import (
	"fmt"
	"math"
)

// figures are means over queries, in percent.
type figures struct {
	Recall1  float64 `json:"recall_at_1"`
	Recall5  float64 `json:"recall_at_5"`
	Recall10 float64 `json:"recall_at_10"`
	NDCG10   float64 `json:"ndcg_at_10"`
}

// depth is how many results a query is scored by.
const depth = 10

// measure scores one search function by a set's queries.
func measure(queries []query, search func(q string) []string) figures {
	var sum figures
	for _, q := range queries {
		one := score(q, search(q.Query))
		sum.add(figures{100 * one.Recall1, 100 * one.Recall5, 100 * one.Recall10, 100 * one.NDCG10}, len(queries))
	}
	return sum
}

// add adds one of n figures to their mean.
func (f *figures) add(one figures, n int) {
	f.Recall1 += one.Recall1 / float64(n)
	f.Recall5 += one.Recall5 / float64(n)
	f.Recall10 += one.Recall10 / float64(n)
	f.NDCG10 += one.NDCG10 / float64(n)
}

func (f figures) String() string {
	return fmt.Sprintf("%.1f / %.1f / %.1f / %.1f", f.Recall1, f.Recall5, f.Recall10, f.NDCG10)
}

// score scores one answer, as shares of 1. Each relevant tool counts once, by
// the first of its equals.
func score(q query, answer []string) figures {
	counts := canonical(q)
	found := make(map[string]bool)
	var f figures
	var gain, ideal float64
	for i, name := range answer[:min(len(answer), depth)] {
		relevant, ok := counts[name]
		if ok && !found[relevant] {
			found[relevant] = true
			gain += 1 / math.Log2(float64(i)+2)
		}
		recall := float64(len(found)) / float64(len(q.Relevant))
		if i == 0 {
			f.Recall1 = recall
		}
		if i < 5 {
			f.Recall5 = recall
		}
		f.Recall10 = recall
	}
	for i := range min(len(q.Relevant), depth) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	f.NDCG10 = gain / ideal
	return f
}

// canonical maps each name that counts to the relevant tool it counts as.
func canonical(q query) map[string]string {
	counts := make(map[string]string)
	for _, name := range q.Relevant {
		for _, equal := range q.Equiv[name] {
			counts[equal] = name
		}
	}
	for _, name := range q.Relevant {
		counts[name] = name
	}
	return counts
}

// coverage is the share of a task's tools that are among the first k answers to
// any query of the task, as a mean over tasks, in percent.
func coverage(queries []query, k int, search func(q string) []string) float64 {
	type task struct {
		found map[string]bool
		total int
	}
	tasks := make(map[string]*task)
	for _, q := range queries {
		t := tasks[q.ID]
		if t == nil {
			t = &task{found: make(map[string]bool), total: len(q.Relevant)}
			tasks[q.ID] = t
		}
		counts := canonical(q)
		answer := search(q.Query)
		for _, name := range answer[:min(len(answer), k)] {
			if relevant, ok := counts[name]; ok {
				t.found[relevant] = true
			}
		}
	}
	var sum float64
	for _, t := range tasks {
		sum += float64(len(t.found)) / float64(t.total)
	}
	return 100 * sum / float64(max(1, len(tasks)))
}
