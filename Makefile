# make test     everything that must hold: lint, Swift tests, transcripts, processes
# make lint     the committed format, nothing else
# make conformance  the protocol's transcripts against the release build, as a table; ARGS="--junit FILE" and the like
# make bench    speed and memory, as a table; as JSON in .build/bench.json, and printed by make bench ARGS=--json
# make bench-check  counts of instructions and allocations against Tests/Benchmarks/bounds.json; ARGS=--update sets them
# make release  a binary that needs no toolchain where it runs

SWIFT ?= swift
VENV := .build/venv

.PHONY: test lint format swift-test process-test conformance release bench-build bench bench-check

test: lint swift-test process-test

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

format:
	$(SWIFT) format format --in-place --parallel --recursive Package.swift Sources Tests

swift-test:
	$(SWIFT) test --parallel

# Where the system allows it, the C library is inside as well: such a program starts in half the time.
ifeq ($(shell uname),Linux)
STATIC := --static-swift-stdlib -Xswiftc -static-executable
endif

release:
	$(SWIFT) build -c release $(STATIC) --scratch-path .build/static --product nagare

$(VENV)/.installed: Tests/Process/requirements.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

process-test: $(VENV)/.installed
	$(SWIFT) build -c release --product nagare
	$(VENV)/bin/python -m pytest -q Tests/Process

conformance:
	$(SWIFT) build -c release --product nagare >&2
	@python3 protocol/conformance/run.py $(ARGS) -- .build/release/nagare --clock virtual

BENCH := .build/bench
BENCH_C := Tests/Benchmarks/C

$(BENCH)/reference: $(BENCH_C)/reference.c
	mkdir -p $(BENCH)
	$(CC) -O3 -Wall -Wextra -Werror -o $@ $^

$(BENCH)/client: $(addprefix $(BENCH_C)/,client.c items.c pings.c server.c) $(wildcard $(BENCH_C)/*.h)
	mkdir -p $(BENCH)
	$(CC) -O3 -Wall -Wextra -Werror -o $@ $(filter %.c,$^)

# Says what it builds on standard error: the table alone goes to standard output.
bench-build: $(BENCH)/reference $(BENCH)/client
	$(MAKE) release >&2
	$(SWIFT) build -c release $(STATIC) --scratch-path .build/static --product Benchmarks >&2

bench: bench-build
	@python3 Tests/Benchmarks/report.py .build $(ARGS)

bench-check: bench-build
	python3 Tests/Benchmarks/check.py .build $(ARGS)
