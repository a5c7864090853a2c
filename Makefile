# make test     everything that must hold: lint, Swift tests, transcripts, processes, clients
# make lint     the committed format, nothing else
# make bench    speed and memory, as a table; as JSON in .build/bench.json, and printed by make bench ARGS=--json
# make bench-check  counts of instructions and allocations against Tests/Benchmarks/bounds.json; ARGS=--update sets them
# make terminal the demo in this terminal; make terminal ARGS="--config nagare.json" is one's own
# make release  binaries that need no toolchain where they run
# make docs     the documentation, as a site below .build/docs/site; any warning fails

SWIFT ?= swift
VENV := .build/venv

.PHONY: test lint format swift-test process-test client-test terminal release bench-build bench bench-check docs

test: lint swift-test process-test client-test

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

HTTP := .build/static-http

release:
	$(SWIFT) build -c release $(STATIC) --scratch-path .build/static --product nagare
	$(SWIFT) build -c release $(STATIC_HTTP) --scratch-path $(HTTP) --product nagare-http
	cp $(HTTP)/release/nagare-http .build/static/release/

# The C library can't be inside nagare-http, for the system's libcurl, which it needs, needs the system's. It doesn't need
# libcurl's development files: a link by the name that the linker looks for stands for them.
ifeq ($(shell uname),Linux)
STATIC_HTTP := --static-swift-stdlib -Xlinker -s -Xlinker -L$(HTTP)/lib
release: $(HTTP)/lib/libcurl.so
endif

$(HTTP)/lib/libcurl.so:
	mkdir -p $(@D)
	ln -sf "$$($(CC) -print-file-name=libcurl.so.4)" $@

KIT := clients/source-python
PYTHON_CLIENT := clients/python
TERMINAL := clients/terminal

$(VENV)/.installed: $(KIT)/tests/requirements.txt Tests/Process/requirements.txt $(TERMINAL)/tests/requirements.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r $< -r $(TERMINAL)/tests/requirements.txt
	touch $@

process-test: $(VENV)/.installed
	$(SWIFT) build -c release --product nagare
	$(SWIFT) build -c release --product nagare-http
	$(SWIFT) build --product ArticlesExample
	$(VENV)/bin/python -m pytest -q Tests/Process

client-test: $(VENV)/.installed
	$(SWIFT) build -c release --product nagare
	$(KIT)/tests/install-postgres
	cd $(KIT) && $(abspath $(VENV))/bin/mypy
	$(VENV)/bin/python -m pytest -q $(KIT)/tests
	cd $(PYTHON_CLIENT) && $(abspath $(VENV))/bin/mypy
	$(VENV)/bin/python -m pytest -q $(PYTHON_CLIENT)/tests
	cd $(TERMINAL) && $(abspath $(VENV))/bin/python -m mypy
	$(VENV)/bin/python -m pytest -q $(TERMINAL)/tests

terminal: $(VENV)/.installed
	$(SWIFT) build -c release --product nagare
	@PYTHONPATH=$(PYTHON_CLIENT)/src:$(TERMINAL)/src NAGARE=.build/release/nagare $(VENV)/bin/python -m nagare_terminal $(ARGS)

DOCC ?= $(shell command -v docc || xcrun --find docc)
DOCS := .build/docs
TRIPLE = $(shell $(SWIFT) -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p')
ifeq ($(shell uname),Darwin)
SDK := -sdk $(shell xcrun --show-sdk-path)
endif

# What `import Nagare` brings with it is documented with it.
docs:
	$(SWIFT) build --target Nagare
	$(SWIFT) build --target FlowTesting
	rm -rf $(DOCS)
	set -e; for module in Nagare FlowTesting Flow; do \
	  mkdir -p $(DOCS)/$$module.symbols; \
	  $(SWIFT) symbolgraph-extract -module-name $$module -target $(TRIPLE) $(SDK) -I .build/debug/Modules \
	    -minimum-access-level public -skip-synthesized-members \
	    -experimental-allowed-reexported-modules=Flow,RPC,Reactor,WireJSON -output-dir $(DOCS)/$$module.symbols; \
	  $(DOCC) convert Sources/$$module/$$module.docc --additional-symbol-graph-dir $(DOCS)/$$module.symbols \
	    --fallback-bundle-identifier $$module --warnings-as-errors --output-path $(DOCS)/$$module.doccarchive; \
	done
	$(DOCC) merge $(addprefix $(DOCS)/,$(addsuffix .doccarchive,Nagare FlowTesting Flow)) \
	  --synthesized-landing-page-name Nagare --output-path $(DOCS)/site

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
