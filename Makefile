# Waymark's entry points; `make help` lists them.

SWIFT ?= swift
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
BUILD := .build/release
PAGES := $(patsubst man/%.scd,.build/man/%,$(wildcard man/*.scd))
INTERFACES := $(wildcard Sources/Wire/WaymarkInterface/*.varlink)
GENERATOR := scripts/interfaces $(wildcard scripts/interface_generator/*.py)
SOURCES := Package.swift Sources Tests Benchmarks
# All programs are one executable, which does the work of the name it was called by. .build/bin is where those lie that
# were built last.
name_programs = for name in waymarkd waymark-bridge waymark-mqtt waymark-beacon waymark-voice; do \
	ln -sf waymark .build/$(1)/$$name || exit 1; done; ln -sfn $(1) .build/bin
# Most tests of the real programs wait for most of their time.
SIDE_BY_SIDE := -n 6 --dist loadgroup
export PREFIX SYSCONFDIR DESTDIR

.PHONY: build build-tests link-debian13 stress-tests client-libraries openxr-layer man demo check check-board check-debian13 check-sanitized soak fuzz drill load
.PHONY: bench score ablation install uninstall format lint test system-test screenshots units mutations deb container tarball release check-arm64 cross-core clean help
.DEFAULT_GOAL := build

build: ## Build all programs (release), the C library, the OpenXR layer and the manual pages; missing Debian packages are installed first
	scripts/require build
	$(SWIFT) build -c release --disable-local-rpath
	@$(call name_programs,release)
	$(MAKE) --no-print-directory openxr-layer man

build-tests: openxr-layer man ## Build programs, tests, the C library, the OpenXR layer and manual pages
	$(SWIFT) build -c release --build-tests --disable-index-store --disable-local-rpath
	@$(call name_programs,release)

link-debian13: openxr-layer man ## Link the programs on Debian 13, from what was compiled on Debian 12
	scripts/debian13-link
	@$(call name_programs,release)

client-libraries: ## Build the client library for C into .build/clients/c
	@$(MAKE) --no-print-directory -C clients/c BUILD=$(CURDIR)/.build/clients/c

# Only on Debian does scripts/require install the headers, and nothing else needs them.
openxr-layer: client-libraries ## Build the OpenXR API layer into .build/clients/openxr, where OpenXR's headers are
	@if echo '#include <openxr/openxr.h>' | $(CC) -E - >/dev/null 2>&1; then \
		$(MAKE) --no-print-directory -C clients/openxr BUILD=$(CURDIR)/.build/clients/openxr; \
	else echo "the OpenXR layer is left out: OpenXR's headers are missing (Debian: libopenxr-dev)" >&2; fi

man: $(PAGES) ## Build the manual pages into .build/man

.build/man/%: man/%.scd $(INTERFACES) scripts/man-page $(GENERATOR)
	@mkdir -p $(@D)
	scripts/man-page $< >$@.new && mv $@.new $@

# Without optimization the compiler needs a third of the time, and the daemon a tenth of a processor.
demo: $(if $(wildcard $(BUILD)/waymark),build) ## Show the built-in walk live for DEMO_SECONDS (60); builds quickly, unoptimized, where there is no other build
	scripts/require build
	$(if $(wildcard $(BUILD)/waymark),,$(SWIFT) build --product waymark --disable-index-store --disable-local-rpath)
	@$(if $(wildcard $(BUILD)/waymark),,$(call name_programs,debug))
	@scripts/demo .build/bin

check: ## Install what the tests need, then test and lint what each change can break; QUICK=1 for less, FULL=1 for all
	@scripts/require build test
	@scripts/check $(if $(QUICK),--quick) $(if $(FULL),--full) $(if $(DEBIAN13),--debian13)

fuzz: ## Feed the parsers of what comes from outside with made-up inputs, SECONDS (60) each; PARSERS='mcap csv' chooses
	scripts/require build
	@SWIFT='$(SWIFT)' scripts/fuzz --seconds $(or $(SECONDS),60) $(PARSERS)

check-sanitized: ## Run the unit tests, or TESTS, under AddressSanitizer and ThreadSanitizer, or KIND=thread; MINUTES repeats them
	@scripts/require build test
	@scripts/venv
	@for kind in $(or $(KIND),address thread); do \
		SWIFT='$(SWIFT)' WAYMARK_PYTHON=$(CURDIR)/.build/venv/bin/python scripts/check-sanitized \
			--minutes $(or $(MINUTES),0) $$kind $(foreach each,$(TESTS),'$(each)') || exit 1; done

check-arm64: build ## Build all for arm64 and run programs and tests of the pure modules under QEMU; PARTS='tests' chooses
	scripts/require arm64
	scripts/check-arm64 $(PARTS)

cross-core: build ## Run geometry, geodesy and measurements as arm64 code and compare with this machine's, in a minute
	scripts/require arm64
	scripts/cross-core

check-debian13: ## Build and run the tests on Debian 13 too, in a root of its own; needs root, as mounts do
	@SWIFT='$(SWIFT)' scripts/check-debian13 possible
	@SWIFT='$(SWIFT)' scripts/check debian13-units debian13-unit-tests debian13-system-tests

lint: man ## Check the form of the sources, scripts and manual pages
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	# The formatter leaves comments alone.
	! git grep -nP '^(?=.{121}) *//' -- '*.swift' ':!*/Generated/*'
	grep -d skip -lE '^#!/bin/(ba)?sh' scripts/* scripts/arm64/* config/brokers/* .ci/* udev/* systemd/* debian/waymark.* debian/tests/* | xargs shellcheck
	# scdoc ends each paragraph with an empty one, which mandoc skips and reports.
	! mandoc -T lint -W warning $(PAGES) | grep -v 'skipping paragraph macro: PP'
	scripts/toml-page <config/waymark.toml | cmp - man/waymark.toml.5.scd
	scripts/completions --check
	scripts/constants --check
	scripts/dependencies
	scripts/undocumented
	scripts/words
	scripts/clocks
	scripts/interfaces --check
	for file in po/*.po; do msgfmt --check --output-file=/dev/null $$file && msgcmp $$file po/en.po || exit 1; done
	scripts/catalogues --check

test: ## Run the unit tests of what was built last; TESTS='Scene Engine' chooses modules or patterns
	@WAYMARK_PYTHON=$(CURDIR)/.build/venv/bin/python scripts/unit-tests $(foreach each,$(TESTS),'$(each)')

# Tests that call make call it as a user does.
system-test: ## Run the tests of the real programs, or those of a MARK; QUICK=1 without those that take long
	unset MAKEFLAGS MFLAGS; .build/venv/bin/python -m pytest -q $(SIDE_BY_SIDE) -rs \
		-m '$(or $(MARK),$(if $(QUICK),not long))' Tests/System

stress-tests: ## Run TESTS ('Tests/System/test_mqtt.py Linux') TIMES (20) beside processes that take all processors
	@scripts/stress-tests --times $(or $(TIMES),20) $(foreach each,$(TESTS),'$(each)')

screenshots: $(if $(wildcard .build/release/waymarkd),,build) ## Take the pictures of the documents anew, from the programs built last
	scripts/require test browser
	scripts/venv
	cd Tests/System && $(CURDIR)/.build/venv/bin/python -m screenshots $(CURDIR)/docs

check-board: man client-libraries $(if $(wildcard .build/release/waymarkd),,build) ## Run the tests in a guest with a real kernel, with the programs built last, or those of a MARK
	scripts/venv
	scripts/board-prepare
	unset MAKEFLAGS MFLAGS; .build/venv/bin/python -m pytest -q -rs $(if $(MARK),-m '$(MARK)') Tests/Board

drill: man client-libraries $(if $(wildcard .build/release/waymarkd),,build) ## Let everything fail on the board for MINUTES (30), at random from SEED (1)
	scripts/venv
	scripts/board-prepare
	SEED=$(or $(SEED),1) MINUTES=$(or $(MINUTES),30) .build/venv/bin/python -m pytest -q -s Tests/Board/test_drill.py

soak: $(if $(wildcard .build/release/waymarkd),,build) ## Let clients of all kinds and failing sensors work on the daemon for MINUTES (30)
	scripts/require test
	scripts/venv
	SEED=$(or $(SEED),1) MINUTES=$(or $(MINUTES),30) .build/venv/bin/python -m pytest -q -s Tests/System/test_soak.py

mutations: ## Break behaviours on purpose, all or those named in NAMES, and see a test fail for each
	scripts/require build test
	scripts/venv
	@SWIFT='$(SWIFT)' scripts/mutation-trial $(NAMES)

units: ## Let systemd check the units
	scripts/verify-units

install: openxr-layer man ## Put everything under DESTDIR and PREFIX (/usr/local), after `make build`
	@scripts/install put

# Another processor than this machine's. Some shells have ARCH in their environment, so it counts on the command line alone.
deb: ASKED = $(if $(filter command line,$(origin ARCH)),$(ARCH))
deb: CROSS = $(filter-out $(shell dpkg --print-architecture),$(ASKED))
deb: ## Build the Debian packages into .build/deb; ARCH=arm64 those for it, by a cross compiler, into .build/deb-arm64
	$(if $(filter-out amd64 arm64,$(ASKED)),$(error there are packages for ARCH=amd64 and ARCH=arm64))
	scripts/require $(or $(CROSS),build package)
	@SWIFT='$(SWIFT)' $(if $(CROSS),scripts/check-arm64 roots packages,scripts/deb)

container: deb ## Make a container image with the package, from Debian's archive and without root, as an OCI archive in .build/container
	scripts/require container
	@scripts/container

tarball: build ## Pack what install puts into .build/tarball, for Yocto and Buildroot
	@scripts/tarball

release: build ## Collect packages for amd64 and arm64, tarball, container, wheel, SPDX and SHA256SUMS of a commit in .build/dist
	scripts/require build package container arm64
	scripts/venv
	@SWIFT='$(SWIFT)' scripts/release

uninstall: ## Take out what install put
	@scripts/install remove

format: ## Bring the Swift sources into form, and what is generated from other sources up to date
	scripts/interfaces
	scripts/catalogues
	$(SWIFT) format --in-place --recursive $(SOURCES)
	scripts/toml-page <config/waymark.toml >man/waymark.toml.5.scd
	scripts/completions
	scripts/constants

load: build ## Measure what the daemon costs with real libiio and real gpsd, and how soon its readers have a sample
	scripts/require test
	python3 scripts/daemon-load $(BUILD) --table
	python3 scripts/daemon-load $(BUILD) --local
	python3 scripts/daemon-load $(BUILD) --subscribers 0 --scenes 1
	python3 scripts/daemon-load $(BUILD) --subscribers 0 --wakes 10
	python3 scripts/daemon-load $(BUILD) --aids 4 --seconds 60
	python3 scripts/daemon-load $(BUILD) --local --latency 1,16,64,256 --seconds 10

bench: build ## Measure the estimator in time, also at its samples' own times, in instructions and memory, beside VQF where it is installed, the scene, hours of noise
	@scripts/require bench || :
	$(or $(wildcard .build/venv/bin/python),python3) scripts/bench $(BUILD)

score: ## Score the estimator on simulated wearers and public recordings; SEEDS (1-4), CONDITION='walk', WITHOUT=PART and JSON=FILE
	@scripts/require build
	$(SWIFT) build -c release --product waymark-score
	@$(BUILD)/waymark-score $(if $(SEEDS),--seeds $(SEEDS)) $(if $(CONDITION),--condition '$(CONDITION)') \
		$(foreach part,$(WITHOUT),--without $(part)) $(if $(JSON),--json '$(JSON)')

ablation: ## Switch each part of the estimator off in turn and show what the score loses, on SEEDS='1-4 11-14'; PART chooses
	@scripts/require build
	$(SWIFT) build -c release --product waymark-score
	@$(BUILD)/waymark-score --ablation $(foreach set,$(SEEDS),--seeds $(set)) \
		$(if $(CONDITION),--condition '$(CONDITION)') $(if $(PART),--part '$(PART)')

clean: ## Remove everything that was built
	rm -rf .build

help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## (.*)/\1 \2/' | \
		while read -r name text; do printf '  make %-14s %s\n' "$$name" "$$text"; done
