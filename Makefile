# Everything here works on a fresh machine with Python 3.11 or newer, pip and make; `make help` lists it.
PYTHON ?= python3

BIN := .venv/bin
# Installs into the virtual environment $(1) with the pip of PYTHON: installing another pip would take as long as the rest
install = $(PYTHON) -m pip --python $(1)/bin/python --quiet --quiet --disable-pip-version-check --no-input install

# The tests start thousands of processes: compiled Python files are kept for the next
unexport PYTHONDONTWRITEBYTECODE

# The tests, a process on each core
TESTS := -m pytest -q -n auto --dist worksteal

# Programs without which some tests are skipped: mail programs of the recipes, shells, a browser, man
MAIL := procmail maildrop dovecot-sieve dovecot-imapd dovecot-lmtpd mutt neomutt fetchmail getmail6 notmuch parallel cron bsdutils
SCREENS := zsh fish man-db chromium

# Packages that build the documentation as a site
SITE := 'mkdocs-material >=9.5'

# The tests that count documents and score them
COUNTING := tests/test_oracle.py tests/training/test_training.py tests/training/test_learning.py tests/classification/test_bulk.py \
	tests/evaluation/test_evaluation.py

# The commands of `make demo`
define DEMO
ls corpora/topics
nbtext train corpora/topics
echo "Reef the main before the squall comes through" | nbtext classify
nbtext classify corpora/topics/*/b*.txt
nbtext evaluate --split 0.8
endef
export DEMO

.DEFAULT_GOAL := check
.NOTPARALLEL:
.PHONY: help check test demo lint types plain suite plain-kernel quick faults wheels transcripts docs recipes programs axe fuzz bench clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*  ## /\1\t/p' Makefile | expand -t 14

check: test  ## what `make` does: the same as test

test: lint types plain suite plain-kernel  ## all checks

demo: .venv-plain/ready  ## train, classify and evaluate on corpora/topics, in a temporary folder
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && cp -R corpora "$$folder" && PATH="$(CURDIR)/.venv-plain/bin:$$PATH" && \
	cd "$$folder" && echo "$$DEMO" | while read -r line; do printf '\n$$ %s\n' "$$line"; eval "$$line" </dev/null || exit; done

lint: .venv/ready  ## style and format
	@$(BIN)/ruff check --quiet && $(BIN)/ruff format --check --quiet

types: .venv/ready  ## mypy, strict for the package
	@$(BIN)/mypy --no-error-summary

plain: .venv-plain/ready  ## the help of every command, from an installation without the development packages
	@.venv-plain/bin/python tests/every_help.py .venv-plain/bin/nbtext

suite: .venv/ready  ## the tests alone
	@$(BIN)/python $(TESTS)

plain-kernel: .venv/ready  ## the tests of training and classifying again, without the compiled kernel
	@NBTEXT_KERNEL=plain $(BIN)/python $(TESTS) $(COUNTING)

quick: .venv/ready  ## the tests alone, up to the first failure
	@$(BIN)/python $(TESTS) --exitfirst

transcripts: .venv/ready  ## update the output of commands in README.md and docs, and the man pages
	@$(BIN)/python -m tests.transcripts && $(BIN)/python -m tests.manpages

docs: .venv-docs/ready  ## the documentation as a site, into build/docs
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --quiet --strict --clean && echo build/docs/index.html

recipes: programs .venv/ready  ## the recipes for mail in docs/mail.md, with the programs they are for (Debian, as root)
	@$(BIN)/python -m pytest -q -rs tests/test_recipes.py

programs:  ## the programs that some tests use, and skip if they are missing (Debian, as root)
	@apt-get -qq update
	@$(call debian,$(MAIL))
	@$(call debian,$(SCREENS))

axe:  ## the accessibility checker for the tests of pages, which also need a browser
	@npm install --silent --prefix build/axe axe-core

fuzz: .venv/ready  ## the property tests again, with many more examples, and the tests that take too long for `make test`
	@$(BIN)/python -m pytest -q -m 'hypothesis or thorough' --hypothesis-profile=fuzz

faults: .venv/ready  ## damage and kill nbtext on purpose for some minutes; writes docs/faults.md
	@$(BIN)/python -m tests.fault

wheels: .venv/ready  ## a wheel for this machine and the source distribution, into dist
	@$(call install,.venv) --upgrade build && $(BIN)/python -m build --outdir dist

bench: .venv/ready  ## speed and accuracy compared with other programs
	@$(BIN)/python -m tests.bench
	@$(BIN)/python -m tests.bench.arrivals
	@$(BIN)/python -m tests.bench.choices

clean:  ## remove all files that the other targets made
	@rm -rf .venv .venv-plain .venv-docs .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist *.egg-info
	@rm -f nbtext/*/_*.c nbtext/*/_*.so
	@find nbtext tests -name __pycache__ -prune -exec rm -rf {} +

.venv/ready: pyproject.toml $(wildcard nbtext/*/*.pyx nbtext/*/*.pxd)
	$(if $(filter pyproject.toml,$?),$(call environment,.venv))
	@$(call install,.venv) --editable '.[dev]' && touch $@

.venv-plain/ready: pyproject.toml setup.py README.md $(shell find nbtext -name '*.py' -o -name '*.pyx' -o -name '*.pxd')
	$(call environment,.venv-plain)
	@$(call install,.venv-plain) . && touch $@

.venv-docs/ready: Makefile
	$(call environment,.venv-docs)
	@$(call install,.venv-docs) $(SITE) && touch $@

debian = DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $(1) > /dev/null

# A new virtual environment in $(1), so that packages removed from pyproject.toml are gone too
define environment
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and \
	"nbtext needs Python 3.11 or newer; $(PYTHON) is %d.%d: name another, as in make PYTHON=python3.12" % v[:2])'
	@echo "installing into $(1)" && $(PYTHON) -m venv --clear --without-pip $(1)
endef
