# make test     everything that must hold: lint, Swift tests, transcripts, processes
# make lint     the committed format, nothing else
# make bench    speed and memory, as a table and as JSON
# make release  a binary that needs no toolchain where it runs

SWIFT ?= swift
VENV := .build/venv

.PHONY: test lint format swift-test process-test release bench bench-check

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
