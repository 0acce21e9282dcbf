# Two commands: `make bench` measures HEAD and publishes, `make test` runs all tests. Everything lives in .venv and .asv.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: bench site releases new-releases test lint preview check limit clean

bench: .venv/bench.done
	$(BIN)/python tools/bench.py $(if $(FULL),--full) $(if $(AGAIN),--again) $(addprefix --backend ,$(BACKEND))

# From stored results, without measuring. Exit status 3: some results could not be read, and were left out.
site: .venv/bench.done
	$(BIN)/python -m tools.site

# The ladder: each release of a compiler in an environment of its own (docs/releases.md). Stopped, it goes on where it was.
releases: .venv/bench.done
	$(BIN)/python tools/releases.py run $(addprefix --compiler ,$(COMPILER)) $(addprefix --since ,$(SINCE)) \
		$(addprefix --only ,$(ONLY)) $(addprefix --commit ,$(COMMIT)) $(if $(KEEP),--keep) $(if $(AGAIN),--again)

new-releases: .venv/bench.done
	$(BIN)/python tools/releases.py new $(addprefix --patch ,$(PATCH)) $(addprefix --branch ,$(BRANCH))

test: .venv/test.done
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

lint: .venv/test.done
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# The compilers' part of what the processor can do; ARGUMENTS='--points 1e8 --turns 3 --json' says otherwise.
limit: .venv/test.done
	$(BIN)/python tools/limit.py $(ARGUMENTS)

preview:
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory site 8080

# asv alone: the compilers come into the environment that asv makes. asv wants to know the machine and a branch "main".
.venv/bench.done: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/asv machine --yes
	git rev-parse --quiet --verify main >/dev/null || git branch main origin/main || true  # only asv continuous needs it
	touch $@

.venv/test.done: .venv/bench.done
	$(BIN)/python -m pip install --quiet --editable '.[all,bench,test]'
	touch $@

clean:
	rm -rf .venv .asv site
