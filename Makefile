# Waymark's entry points; `make help` lists them.

SWIFT ?= swift
BUILD := .build/release

.PHONY: build help clean
.DEFAULT_GOAL := build

build: ## Build both programs (release)
	$(SWIFT) build -c release

clean: ## Remove everything that was built
	rm -rf .build

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1 \2/' | \
		while read -r make name text; do printf '  make %-10s %s\n' "$$name" "$$text"; done
