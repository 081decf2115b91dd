# The two that matter: `make run` and `make test`. `make help` lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

RELEASE := swift build -c release --static-swift-stdlib
# What is shipped, and measured, is optimised across modules, and so is what is tested in release (scripts/build-release-tests):
# see Package.swift.
build bench: export PAWL_OPTIMISED := 1
VENV := .build/venv
PAWL := .build/release/pawl
# Where tests leave their screenshots.
ATTACHMENTS := .build/attachments

# What `make run` is told besides: make run ARGS="--alg ES256"
ARGS ?=

.PHONY: help run build test test-debug test-release deps deps-test deps-bench deps-webkit fuzz crash shared-login demo webkit bench docs docs-preview format clean

help: ## Show what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: build ## Build, and start a provider on http://127.0.0.1:8080 and https://127.0.0.1:8443
	@exec $(PAWL) serve --tls auto $(ARGS)

build: deps ## Build the release binary
	@$(RELEASE) --product pawl

test: test-debug test-release fuzz-short ## Everything: tests in debug and in release, and each fuzzer for a moment

# Programs that are started, and browsers that wait for them, have deadlines: they do not run beside thousands that compute.
PROGRAMS := '^(PawlTests|BrowserTests|SharedLoginTests)'

# Servers that are killed under load want the machine for themselves, and so do the tests beside them.
test-debug: deps-test $(VENV)/ready
	swift build --build-tests
	scripts/build-documentation .build/docs
	rm -rf $(ATTACHMENTS)/debug && mkdir -p $(ATTACHMENTS)/debug
	PAWL_REQUIRE_CROSSCHECKS=1 scripts/run-tests --skip-build --skip $(PROGRAMS) --skip CrashTests
	PAWL_REQUIRE_CROSSCHECKS=1 PAWL_REQUIRE_BROWSER=1 scripts/run-tests --skip-build --attachments-path $(ATTACHMENTS)/debug --filter $(PROGRAMS) --skip CrashTests
	scripts/run-tests --skip-build --filter CrashTests

# What both builds have alike is seen in debug alone: what a browser makes of the pages, whose bytes are the same, the text of the
# sources, and what a Mac compiles.
SAME_IN_RELEASE := --skip 'BrowserTests' --skip '^TidyTests' --skip theClientCompilesForAMac

test-release: deps-test $(VENV)/ready
	scripts/build-release-tests
	PAWL_REQUIRE_CROSSCHECKS=1 scripts/run-tests -c release --skip-build --skip $(PROGRAMS) $(SAME_IN_RELEASE) --skip CrashTests
	PAWL_REQUIRE_CROSSCHECKS=1 scripts/run-tests -c release --skip-build --filter $(PROGRAMS) $(SAME_IN_RELEASE) --skip CrashTests
	scripts/run-tests -c release --skip-build --filter CrashTests

fuzz: deps ## Run every fuzzer for ten minutes
	Fuzzing/run --seconds 600

# It is for `make fuzz` to see the code as it is optimised.
.PHONY: fuzz-short
fuzz-short: deps
	Fuzzing/run --unoptimised --seconds 10

crash: build ## Kill a server under load, 200 times, and see that nothing is lost
	python3 Tests/CrossChecks/crash.py --pawl $(PAWL) --rounds 200 --seconds 1500

shared-login: deps-test $(VENV)/ready ## Kill processes that share a login, for a minute at our provider and at another, and see nobody signed out
	PAWL_SHARED_LOGIN_SECONDS=60 scripts/run-tests --filter KilledProcessesTests

webkit: deps-webkit ## Prove the web side on a real WebKit engine, and print what was seen there
	@Harnesses/WebKitGTK/run

demo: deps ## Show an app and its web view sign their user out, and not with the library (ARGS="--rotation okta")
	@swift build --product SignOutDemo
	@.build/debug/SignOutDemo $(ARGS)

bench: deps-bench build ## Measure, and print each figure beside its limit
	PAWL_BENCH=1 $(RELEASE) --scratch-path .build/bench --product pawl-bench
	python3 Benchmarks/bench.py --pawl $(PAWL) --pawl-bench .build/bench/release/pawl-bench

docs: deps ## Build the documentation of the session client, and fail where a link leads nowhere
	@scripts/build-documentation .build/docs

docs-preview: deps ## The same, shown at http://localhost:8000/documentation/sessionclient while it is written
	@scripts/build-documentation .build/docs preview

format: ## Format the sources
	swift format --in-place --recursive --parallel Sources Tests Benchmarks Fuzzing Harnesses Package.swift

deps: ## Install what the build needs
	@scripts/install-dependencies libssl-dev libsqlite3-dev libmimalloc-dev

deps-test: deps
	@scripts/install-dependencies openssl curl python3 python3-venv chromium chromium-driver fonts-noto-cjk

deps-bench: deps
	@scripts/install-dependencies openssl nginx-light wrk python3 util-linux

deps-webkit: deps
	@scripts/install-dependencies libwebkitgtk-6.0-dev pkg-config xvfb openssl

# An implementation of JOSE that is not ours, for the cross-checks.
$(VENV)/ready: Tests/CrossChecks/requirements.txt
	/usr/bin/python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r Tests/CrossChecks/requirements.txt
	touch $@

clean: ## Remove what was built
	rm -rf .build
