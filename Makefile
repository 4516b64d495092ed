# `make` lists the targets. A newcomer needs two: make run, make test.

BIN     := bin
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
GO      ?= go
LDFLAGS := -s -w -X main.version=$(VERSION)

# Each example is a module of its own, as its author would keep it.
EXAMPLES := $(patsubst examples/%/go.mod,%,$(wildcard examples/*/go.mod))

.DEFAULT_GOAL := help
.PHONY: help build examples run test test-deps lint bench bench-search proto docs screenshot clean FORCE

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: $(BIN)/toolcrib examples ## build the toolcrib binary and the example plugins into bin/

$(BIN)/toolcrib: FORCE
	@$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $@ ./cmd/toolcrib

examples: $(EXAMPLES:%=$(BIN)/%)

$(EXAMPLES:%=$(BIN)/%): $(BIN)/%: FORCE
	@cd examples/$* && $(GO) build -trimpath -o ../../$@ .

run: build ## build everything and open the session in this repository
	@if [ -t 0 ] && [ -t 1 ]; then \
		exec $(BIN)/toolcrib; \
	else \
		$(BIN)/toolcrib tools && echo && $(BIN)/toolcrib call Read '{"path":"README.md","limit":12}'; \
	fi

test: test-deps build ## run all tests, with the race detector
	$(GO) test -race -timeout 15m ./...
	@set -e; for e in $(EXAMPLES); do echo "examples/$$e"; (cd examples/$$e && $(GO) vet ./... && $(GO) test -race ./...); done

# The shells that the terminal's tests run in. Nothing is installed on a
# person's machine: there a test of a missing shell says that it is skipped.
test-deps:
	@scripts/test-deps

lint: ## check formatting, vet for Linux and macOS, staticcheck, go.mod and generated code
	@scripts/lint $(EXAMPLES)

bench: ## measure the budgets of the design, as ratios in one run
	@$(GO) test -run '^$$' -bench . -benchtime 2s ./... | grep -E '^(Benchmark|goos|goarch|cpu|pkg)|FAIL|panic'

bench-search: ## measure the ranking of ToolSearch on public sets, beside two baselines
	@$(GO) run ./host/search/benchsearch

proto: ## regenerate sdk/proto from plugin.proto
	@$(GO) run ./sdk/proto/generate sdk/proto

docs: ## regenerate docs/configuration.md from the table of package config
	@$(GO) run ./host/config/reference docs/configuration.md

screenshot: build ## redraw docs/session.svg from the screen of a real session
	@$(GO) run ./cmd/toolcrib/screenshot -toolcrib $(BIN)/toolcrib -out docs/session.svg

clean: ## remove what make built
	@rm -rf $(BIN)

FORCE:
