# make test     everything that must hold: lint, Swift tests, transcripts, processes, clients
# make client-test  run-tests of each folder below clients, which can be run by itself
# make lint     checks the committed format, and that texts are plain language (Tests/Prose)
# make generate  writes the schemas in protocol/ with the program, and the clients' types from them
# make conformance  the protocol's transcripts against what is released, as a table; ARGS="--junit FILE" and the like
# make bench    speed and memory, as a table; as JSON in .build/bench.json, and printed by make bench ARGS=--json
# make bench-check  counts of instructions and allocations against Tests/Benchmarks/bounds.json; ARGS=--update sets them
# make fuzz     sends random inputs to TARGET (json, framing, peer, configuration or views; by default each in turn) for
#               SECONDS seconds (60)
# make soak     the long forms of random tests, and the processor time that each program uses in a minute without input
# make sanitize the Swift tests under the sanitizers that the toolchain has
# make measure-hosting  what a connection costs by each way in, as a table; ARGS="--connections 100"
# make measure-sources  how long it takes from a commit in SQLite and PostgreSQL until the row is in a list; ARGS=1000 commits
# make terminal the live demo in this terminal; ARGS="--file mails.jsonl", ARGS="--config nagare.json" or
#               ARGS="--sqlite mail.db" shows your data, and PRODUCT=TrackerExample a program of this package
# make web      the same in a browser; PORT=8081 is another port
# make demo     the demo in a browser that opens by itself; ARGS=--terminal in this terminal
# make packages  a wheel that installs without a Swift toolchain, a tarball and checksums, in dist
# make release  binaries that need no toolchain where they run
# make startup  lists the functions that a start calls, so that the linker puts them next to each other
# make docs     the documentation, as a site below .build/docs/site; any warning fails

SWIFT ?= swift
VENV := .build/venv
TESTED := .build/tested

CLIENTS := source-python web javascript python terminal hosting manual repl package swift

.PHONY: packages soak startup test lint format tested swift-test process-test client-test $(CLIENTS:%=client-%) tools measure-hosting measure-sources terminal web demo generate conformance release bench-build bench bench-check docs fuzz sanitize

# Two at a time, as some compute while others wait: those that take longest first, the one that waits most beside one that
# computes. What a stage has to say is printed when it is over.
test:
	$(MAKE) --jobs=2 --output-sync=target client-source-python client-web process-test swift-test $(CLIENTS:%=client-%) lint

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests clients/swift
	python3 -B Tests/Prose/check.py

format:
	$(SWIFT) format format --in-place --parallel --recursive Package.swift Sources Tests clients/swift

# The programs and the tests, built once for all stages: as they are released, but that the tests see what isn't public. That
# is said by the compiler's flag alone, as `swift build` knows no other: `swift test` would build all of it again by its own.
# Debug information would take a fifth of the build; a crash names its functions without it.
AS_TESTED := -c release -Xswiftc -enable-testing -Xswiftc -DCHECK_INVARIANTS -debug-info-format none --scratch-path $(TESTED)

tested:
	$(SWIFT) build $(AS_TESTED) --build-tests

swift-test: tested
	$(SWIFT) test $(AS_TESTED) --disable-testable-imports --skip-build --parallel --skip NagareClientTests

# The program is optimized as one, functions that came out the same are there once, and those of the start lie beside one
# another: together that saves a third of the memory. Where the system allows it, the C library is inside as well, which
# halves the time of a start.
STARTUP := Tests/Benchmarks/startup
ifeq ($(shell uname),Linux)
WHOLE := --static-swift-stdlib --experimental-lto-mode full -Xswiftc -use-ld=lld -Xlinker --lto-O3 -Xlinker --icf=safe \
  -Xlinker --symbol-ordering-file=$(CURDIR)/$(STARTUP).symbols -Xlinker --no-warn-symbol-ordering
STATIC := $(WHOLE) -Xswiftc -static-executable
endif

# The list of those functions, made anew by valgrind.
startup: release
	python3 $(STARTUP).py .build/static/release/nagare > .build/startup.symbols
	mv .build/startup.symbols $(STARTUP).symbols
	rm .build/static/release/nagare

HTTP := .build/static-http

release:
	$(SWIFT) build -c release $(STATIC) --scratch-path .build/static --product nagare
	$(SWIFT) build -c release $(STATIC_HTTP) --scratch-path $(HTTP) --product nagare-http
	cp $(HTTP)/release/nagare-http .build/static/release/

# The C library can't be inside nagare-http, because it loads the system's libcurl, which needs the system's C library.
ifeq ($(shell uname),Linux)
STATIC_HTTP := $(WHOLE) -Xlinker -s
endif

KIT := clients/source-python
TERMINAL := clients/terminal
WEB := clients/web
REPL := clients/repl

$(VENV)/.installed: $(KIT)/tests/requirements.txt Tests/Process/requirements.txt $(TERMINAL)/tests/requirements.txt \
    $(REPL)/tests/requirements.txt $(WEB)/tests/requirements.txt $(WEB)/tests/requirements-alone.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile -r $< -r $(TERMINAL)/tests/requirements.txt -r $(REPL)/tests/requirements.txt -r $(WEB)/tests/requirements.txt
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps -r $(WEB)/tests/requirements-alone.txt
	touch $@

# What the tests of processes and of clients run. A `python3` that they start is the virtual environment's: a version manager's
# takes longer to find the interpreter than most such programs run.
process-test $(CLIENTS:%=client-%): export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
process-test $(CLIENTS:%=client-%): export NAGARE := $(CURDIR)/$(TESTED)/release/nagare

process-test client-swift: export BUILT_AS := $(AS_TESTED)
process-test: $(VENV)/.installed tested
	MAKEFLAGS= $(VENV)/bin/python -m pytest -q --numprocesses 3 --dist worksteal Tests/Process

client-test: $(CLIENTS:%=client-%)

# What these scripts make has nothing to do with how many stages run here.
$(CLIENTS:%=client-%): $(VENV)/.installed tested tools
	MAKEFLAGS= SWIFT="$(SWIFT)" clients/$(@:client-%=%)/run-tests

# One after the other, as Debian's packages can't be fetched otherwise.
tools:
	clients/source-python/tests/install-postgres
	clients/web/tests/install-chromium
	clients/web/tests/install-firefox
	clients/hosting/programs
	clients/fetch-debian node-typescript libsixel1 libsixel-bin

measure-hosting: $(VENV)/.installed
	$(MAKE) release >&2
	clients/hosting/programs >&2
	@$(VENV)/bin/python clients/hosting/measure .build/static/release/nagare $(ARGS)

measure-sources: $(VENV)/.installed
	$(SWIFT) build -c release --product nagare >&2
	$(KIT)/tests/install-postgres
	@$(VENV)/bin/python $(KIT)/measure $(ARGS)

# Whose screens are shown: a product of this package.
PRODUCT ?= nagare
# Without anything said, the demo that lives.
SHOWN = $(or $(ARGS),$(if $(filter nagare,$(PRODUCT)),--live))

PYTHON ?= python3

# Where the programs are that are shown.
BUILT ?= .build/release

# It runs with Python alone.
terminal:
	$(SWIFT) build -c release --product $(PRODUCT)
	@PYTHONPATH=$(CURDIR)/clients/python/src:$(CURDIR)/$(KIT)/src:$(CURDIR)/$(TERMINAL)/src NAGARE=$(BUILT)/nagare $(PYTHON) -m nagare_terminal \
	  $(if $(filter nagare,$(PRODUCT)),,-- $(BUILT)/$(PRODUCT)) $(SHOWN)

APP := .build/app

# The commands of the package, for this checkout. Python packages that the system has are used, such as Debian's python3-aiohttp.
# So an offline machine needs no download.
$(APP)/.installed: $(WEB)/server/requirements.txt clients/repl/requirements.txt clients/package/link
	@$(PYTHON) -m venv --system-site-packages $(APP) && \
	$(APP)/bin/python -m pip install --quiet --disable-pip-version-check -r $(WEB)/server/requirements.txt -r clients/repl/requirements.txt || { \
	  echo "The page needs the Python packages aiohttp and prompt_toolkit, and pip couldn't install them in $(APP)." >&2; \
	  echo "Connect to the network and try again, or install them for $(PYTHON), for example Debian's packages python3-venv, python3-aiohttp and python3-prompt-toolkit." >&2; \
	  exit 1; }
	@clients/package/link $(APP)/bin
	@touch $@

# The wheels, the tarball and the checksums, in dist.
packages: release
	$(WEB)/bundle
	$(PYTHON) clients/package/make $(ARGS)

# For the programs that are started: the web server, and the terminal's frontend and the kit with what they import.
SERVING = PYTHONPATH=$(subst $() ,:,$(addprefix $(CURDIR)/clients/,web/server source-python/src terminal/src python/src)) \
  NAGARE=$(BUILT)/nagare $(APP)/bin/python

web: $(APP)/.installed
	$(SWIFT) build -c release --product $(PRODUCT)
	@$(SERVING) -m nagare_web $(if $(PORT),--port $(PORT)) $(if $(filter nagare,$(PRODUCT)),,-- $(BUILT)/$(PRODUCT)) $(SHOWN)

demo: $(APP)/.installed
	$(SWIFT) build -c release --product nagare
	@$(SERVING) -m nagare_web.demo $(if $(PORT),--port $(PORT)) $(ARGS)

DOCC ?= $(shell command -v docc || xcrun --find docc)
DOCS := .build/docs
TRIPLE = $(shell $(SWIFT) -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p')
ifeq ($(shell uname),Darwin)
SDK := -sdk $(shell xcrun --show-sdk-path)
endif

DOCUMENTED := Nagare NagareClient NagareTesting FlowTesting Flow
# How they are built: the tests document what they have built already.
BUILT_AS ?= -c release

# What `import Nagare` brings with it is documented with it.
docs:
	set -e; for module in $(DOCUMENTED); do $(SWIFT) build $(BUILT_AS) --target $$module; done
	rm -rf $(DOCS)
	set -e; for module in $(DOCUMENTED); do \
	  case $$module in Nagare) brought=Flow,ItemList,Paging,RPC,Reactor,WireJSON;; *) brought=;; esac; \
	  mkdir -p $(DOCS)/$$module.symbols; \
	  $(SWIFT) symbolgraph-extract -module-name $$module -target $(TRIPLE) $(SDK) -I $$($(SWIFT) build $(BUILT_AS) --show-bin-path)/Modules \
	    -minimum-access-level public -skip-synthesized-members \
	    -experimental-allowed-reexported-modules=$$brought -output-dir $(DOCS)/$$module.symbols; \
	  $(DOCC) convert $$(find Sources clients -name $$module.docc) --additional-symbol-graph-dir $(DOCS)/$$module.symbols \
	    --fallback-bundle-identifier $$module --warnings-as-errors --output-path $(DOCS)/$$module.doccarchive; \
	done
	$(DOCC) merge $(DOCUMENTED:%=$(DOCS)/%.doccarchive) --synthesized-landing-page-name Nagare --output-path $(DOCS)/site
	@echo "python3 -m http.server -d $(DOCS)/site, and then http://localhost:8000/documentation"

# What is published of the protocol for machines, as the program says it. A program that fails leaves what was there.
generate:
	$(SWIFT) build -c release --product nagare >&2
	.build/release/nagare schema > .build/said.json && mv .build/said.json protocol/configuration.schema.json
	printf '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\n' | .build/release/nagare \
	  | python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)["result"], indent=2, ensure_ascii=False))' \
	  > .build/said.json && mv .build/said.json protocol/openrpc.json
	python3 -B protocol/generate

conformance:
	$(SWIFT) build -c release $(STATIC) --scratch-path .build/static --product nagare >&2
	@python3 protocol/conformance/run.py $(ARGS) -- .build/static/release/nagare --clock virtual

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
	$(SWIFT) build -c release $(STATIC) --scratch-path .build/static --product ClientBenchmark >&2

bench: bench-build
	@python3 Tests/Benchmarks/report.py .build $(ARGS)

bench-check: bench-build
	python3 Tests/Benchmarks/check.py .build $(ARGS)

# Each of these is a test with a number of rounds that the environment gives.
soak: $(VENV)/.installed tested
	@$(VENV)/bin/python Tests/Benchmarks/idle.py $(TESTED)/release
	NAGARE_DAYS=420 $(SWIFT) test $(AS_TESTED) --disable-testable-imports --skip-build --filter LiveListTests
	NAGARE_LIST_STEPS=1000000 $(SWIFT) test $(AS_TESTED) --disable-testable-imports --skip-build --filter RandomDayTests
	NAGARE_ROUNDS=2000 NAGARE=$(CURDIR)/$(TESTED)/release/nagare $(VENV)/bin/python -m pytest -q Tests/Process/test_leaks.py
	NAGARE_STEPS=100000 NAGARE=$(CURDIR)/$(TESTED)/release/nagare clients/python/run-tests -k random_days
	NAGARE_STEPS=720000 NAGARE=$(CURDIR)/$(TESTED)/release/nagare clients/javascript/run-tests --test-name-pattern="current values equal"
	NAGARE_KILLS=2000 NAGARE=$(CURDIR)/$(TESTED)/release/nagare clients/source-python/run-tests -k killed
	NAGARE_TABLES=2000 NAGARE_EVENTS=4 NAGARE=$(CURDIR)/$(TESTED)/release/nagare clients/source-python/run-tests -k "random_tables or small_worlds"
	NAGARE_ODD=150 NAGARE=$(CURDIR)/$(TESTED)/release/nagare clients/terminal/run-tests -k "odd or authors"
	$(MAKE) packages
	$(VENV)/bin/python clients/package/first-minute dist/nagare-[0-9]*.whl

TARGET ?= json framing peer configuration views
SECONDS ?= 60
FUZZ := .build/fuzz

# With libFuzzer, which looks for inputs that reach new code, where the toolchain has it. What is found is left in
# .build/fuzz, as TARGET-crash-… or TARGET-input. Swift's own report of a crash would keep libFuzzer from its.
fuzz:
	mkdir -p $(addprefix $(FUZZ)/,$(TARGET))
	set -e; if echo | $(SWIFT)c -sanitize=fuzzer -typecheck - 2>/dev/null; then \
	  $(SWIFT) build -c release --sanitize=fuzzer -Xswiftc -DLIBFUZZER --scratch-path .build/fuzzer --product Fuzz; \
	  for target in $(TARGET); do \
	    SWIFT_BACKTRACE=enable=no .build/fuzzer/release/Fuzz $(FUZZ)/$$target -dict=$(FUZZ)/$$target.dict \
	      -max_total_time=$(SECONDS) -timeout=20 -artifact_prefix=$(FUZZ)/$$target- -verbosity=0 -print_final_stats=1; \
	  done; \
	else \
	  $(SWIFT) build -c release --product Fuzz; \
	  for target in $(TARGET); do \
	    .build/release/Fuzz $$target --seconds $(SECONDS) --seed "$$(date +%s)" --keep $(FUZZ)/$$target-input; \
	  done; \
	fi

# Many tests drop what they have running, which is a leak to the address sanitizer: it looks for leaks while the targets
# are fed, which take everything down.
sanitize:
	set -e; for sanitizer in address thread undefined; do \
	  if echo | $(SWIFT)c -sanitize=$$sanitizer -typecheck - 2>/dev/null; then \
	    ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --parallel --sanitize=$$sanitizer --scratch-path .build/$$sanitizer; \
	    for target in $(TARGET); do .build/$$sanitizer/debug/Fuzz $$target --runs 300 --seconds 60; done; \
	  else \
	    echo "this toolchain has no sanitizer '$$sanitizer' for this system"; \
	  fi; \
	done
