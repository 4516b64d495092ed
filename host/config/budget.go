package config

import (
	"fmt"
	"math/big"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

const (
	// maxWeight is what one side's files may have evaluated, in bytes: every
	// value, and every value that is made on the way to it. A short file could
	// else fill the memory, with a text that is twice the one before.
	maxWeight = 8 << 20
	// partWeight is what a value weighs besides its text, in bytes.
	partWeight = 32
	// maxBits is how large a number is reckoned with, as an exponent of 2.
	// Multiplying makes numbers whose text has billions of digits.
	maxBits = 1 << 15
)

// budget is what evaluating may still take. Whatever is evaluated is paid out of
// it, also when it fails. One goroutine uses it.
type budget struct {
	left int // in bytes; negative when it is used up
	// at is the part of an expression that took the last of it.
	at   hcl.Range
	told bool // a diagnostic says that it is used up
}

func newBudget() *budget { return &budget{left: maxWeight} }

func (b *budget) empty() bool { return b.left < 0 }

func (b *budget) spend(weight int, at hcl.Range) {
	if b.empty() {
		return
	}
	b.left -= min(weight, maxWeight+1)
	if b.empty() {
		b.at = at
	}
}

// spendSquare pays for what takes the square of a number of parts.
func (b *budget) spendSquare(parts int, at hcl.Range) {
	b.spend(min(parts, maxWeight)*min(parts, maxWeight), at)
}

// spendFaults pays for what is told of an expression that fails: it is told
// again by every one around it, and for every element of a list.
func (b *budget) spendFaults(found hcl.Diagnostics, at hcl.Range) {
	for _, diagnostic := range found {
		b.spend(partWeight+len(diagnostic.Summary)+len(diagnostic.Detail), at)
	}
}

// scale weighs values, and stops when they are heavier than the limit.
type scale struct {
	parts int
	text  int // in bytes
	limit int
}

func (s *scale) weight() int { return s.parts*partWeight + s.text }

func (s *scale) add(v cty.Value) {
	v, _ = v.Unmark()
	s.parts++
	switch {
	case s.weight() > s.limit || !v.IsKnown() || v.IsNull():
	case v.Type() == cty.String:
		s.text += len(v.AsString())
	case v.Type() == cty.Number:
		s.text += digits(v.AsBigFloat())
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next() && s.weight() <= s.limit; {
			key, element := it.Element()
			if key.Type() == cty.String {
				s.text += len(key.AsString())
			}
			s.add(element)
		}
	}
}

// weigh is the weight of a value in bytes, or one beyond the limit.
func weigh(v cty.Value, limit int) int {
	s := scale{limit: limit}
	s.add(v)
	return s.weight()
}

// digits is how long a number is as text, at most.
func digits(number *big.Float) int {
	exponent := number.MantExp(nil)
	bits := max(exponent, -exponent) + int(number.MinPrec())
	if bits > maxBits {
		return maxWeight + 1
	}
	return bits / 3
}

// overspent reports, once, that the budget is used up. What else is not evaluated
// for that reason is as what depends on a value with a fault.
func (e *evaluator) overspent() {
	if e.budget.told {
		return
	}
	e.budget.told = true
	e.fault("The value is too large", fmt.Sprintf("The values of a configuration, and what is made on the way to them, may have %d MiB together. "+
		"Use shorter texts, and lists with fewer elements.", maxWeight>>20), e.budget.at)
}

// affords evaluates the arguments of a body whose faults are told later, and
// reports when that takes more than there is.
func (e *evaluator) affords(body hcl.Body) bool {
	attributes, blocks := contents(body)
	for _, attribute := range attributes {
		if _, _, paid := e.evaluate(attribute.Expr); !paid {
			e.overspent()
			return false
		}
	}
	for _, block := range blocks {
		if !e.affords(block.Body) {
			return false
		}
	}
	return true
}
