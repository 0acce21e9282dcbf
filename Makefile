# Two commands: `make bench` measures HEAD and publishes, `make test` runs all tests. Everything lives in .venv and .asv.
PYTHON ?= python3
BIN = .venv/bin
# A user's PYTHONDONTWRITEBYTECODE would have each of thousands of processes compile this library's modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: bench site gate ranking picture nightly history take-results new-results add-results hosted-machine releases \
	release-duets release-parts new-releases fleet keep test faults test-light lint lint-workflows dist preview limit clean help

bench: .venv/bench.done  ## measure HEAD, publish, and say where the site is; BACKEND=name, FULL=1, AGAIN=1
	$(BIN)/python -m history.bench $(if $(FULL),--full) $(if $(AGAIN),--again) $(addprefix --backend ,$(BACKEND))

# From stored results, without measuring. Exit status 3 of website.site: some results could not be read, and were left out.
site: .venv/bench.done  ## make the site from stored results, without measuring
	$(BIN)/python -m website.site

# May HEAD land? docs/gate.md. make ends with status 2 for any of the gate's own.
BASE ?= main
HEAD ?= HEAD
# A case's name has quotes, an expression dollars: both are for the shell as they were typed.
bench = '$(subst ','\'',$(value BENCH))'
gate: .venv/gate.done  ## judge whether HEAD may land on BASE; BENCH=regex, ALL=1, BUDGET=minutes (docs/gate.md)
	mkdir -p .asv/gate && rm -f .asv/gate/report.md .asv/gate/verdict.json
	@echo "The report will be .asv/gate/report.md"
	$(BIN)/python -m gate '$(BASE)' '$(HEAD)' --report .asv/gate/report.md --json .asv/gate/verdict.json \
		$(if $(ALL),--all) $(if $(BENCH),--bench $(bench)) $(if $(BUDGET),--budget $(BUDGET))

# Backends compared by five processes each, round by round, in half an hour. Stopped, it goes on where it was; with OVER it
# stores its whole rounds. On a GPU: JITKERNELS_DEVICE=gpu make ranking OVER=python3, one whose packages are built for it.
ranking: .venv/gate.done  ## rank the backends of each kernel by several processes; KERNEL=name at all sizes, ROUNDS=5, OVER=python
	$(BIN)/python -m history.ranking $(addprefix --kernel ,$(KERNEL)) $(addprefix --rounds ,$(ROUNDS)) \
		$(addprefix --python ,$(OVER))

# From the newest `make ranking KERNEL=philox_pi` of this machine; prints the figures beside it.
picture: .venv/gate.done  ## draw README's picture from one run of make ranking
	$(BIN)/python -m history.picture
	$(BIN)/jitkernels chart philox_pi seconds --rows docs/philox_pi.json --out docs/philox_pi.svg

# All of HEAD, once: `make bench FULL=1` and `make history`, unless an earlier night has measured this commit here.
nightly: .venv/gate.done  ## measure all of HEAD, and HEAD in turn with the anchor, once a machine
	$(BIN)/python -m history.nightly

# Each commit in turn with the machine's anchor (docs/history.md). Stopped, it goes on where it was.
history: .venv/gate.done  ## measure commits in turn with the anchor; COMMITS=range or list, ANCHOR=, BENCH=regex, AGAIN=1
	$(BIN)/python -m history.commits.command $(COMMITS) $(addprefix --anchor ,$(ANCHOR)) $(if $(BENCH),--bench $(bench)) \
		$(if $(AGAIN),--again)

# Nightly results lie on the branch "results". These bring it into .asv/results, copy what is new there, and add that to it.
take-results:  ## bring the branch "results" into .asv/results
	$(PYTHON) -m history.results_branch take

new-results:  ## copy the results that the branch lacks; TO=directory
	$(PYTHON) -m history.results_branch leave $(or $(TO),.asv/new-results)

add-results:  ## add copied results to the branch; FROM=directory
	$(PYTHON) -m history.results_branch add $(FROM)

# Results of a runner that is another host each time are filed under its processor.
hosted-machine: .venv/bench.done  ## print the name under which this machine's results are filed
	$(BIN)/python -m history.machines

# The ladder: each release of a compiler in an environment of its own, and neighbours in duets (docs/releases.md).
LADDER = $(addprefix --compiler ,$(COMPILER)) $(addprefix --since ,$(SINCE)) $(addprefix --only ,$(ONLY)) \
	$(addprefix --commit ,$(COMMIT)) $(if $(KEEP),--keep) $(if $(AGAIN),--again)
releases: .venv/gate.done  ## measure each release of a compiler; COMPILER=, SINCE=, ONLY=, COMMIT=, KEEP=1, AGAIN=1
	$(BIN)/python -m history.releases.command run $(LADDER)

release-duets: .venv/gate.done  ## measure releases in duets alone; options as for releases
	$(BIN)/python -m history.releases.command duets $(LADDER)

release-parts: .venv/gate.done  ## explain the steps that duets of releases show; options as for releases
	$(BIN)/python -m history.releases.command parts $(LADDER)

# Units on the hosts of a Dask cluster, each once on each machine; without SCHEDULER on this one. docs/scale.md has the units.
fleet: .venv/fleet.done  ## measure UNITS='commits:RANGE releases:COMPILER night rankings'; SCHEDULER=, SHARD=3/10
	$(BIN)/python -m history.fleet.command $(UNITS) $(addprefix --scheduler ,$(SCHEDULER)) $(addprefix --shard ,$(SHARD))

# What was measured here into results/, the data set that comes with the repository; COMMIT=hash of that commit alone.
keep: .venv/bench.done  ## copy what was measured here into results/; COMMIT=hash
	$(BIN)/python -m history.keep $(addprefix --commit ,$(COMMIT))

new-releases: .venv/bench.done  ## add new releases of compilers to releases.toml
	$(BIN)/python -m history.releases.command new

# Two workers more than cores: many tests wait for processes that take turns.
WORKERS = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)
# A file is run by one worker; tests/conftest.py puts the longest ones first, where xdist would take those with most tests.
BY_FILE = --dist loadfile --no-loadscope-reorder
test: .venv/test.done  ## run all tests
	$(BIN)/python -m pytest --numprocesses $(WORKERS) $(BY_FILE)

faults: .venv/test.done  ## kill and suspend processes of pi and of a fleet, each fault 20 times; OTHER_PYTHON=path
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --tries 20 $(addprefix --other-python=,$(OTHER_PYTHON)) \
		tests/command/test_pi_faults.py tests/history/test_fleet_faults.py

# Without the frameworks that a new Python has to wait for: NumPy, Numba and C. None of these may be skipped.
LIGHT = backends benchmarks charts duet gate history kernels library measure project
# Files of these rooms that need other frameworks, jemalloc, or the package index.
HEAVY = backends/test_caches backends/test_counts duet/test_duet_memory gate/test_gate_calibration \
	history/test_releases kernels/test_convnet kernels/test_linear kernels/test_models library/test_catalogue \
	measure/test_aot measure/test_lives measure/test_patterns
test-light: .venv/light.done  ## run the tests that need no framework but NumPy and Numba
	JITKERNELS_REQUIRE=python,numpy,c,numba $(BIN)/python -m pytest --numprocesses auto $(BY_FILE) \
		$(HEAVY:%='--ignore-glob=tests/%*') $(addprefix tests/,$(LIGHT))

lint: .venv/test.done  ## check the code, its types and the workflows
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/zizmor --offline --pedantic --quiet .github/workflows

# Apart from `make lint`, because actionlint cannot be had from the package index alone.
lint-workflows: .venv/workflows.done  ## check the workflows, with actionlint too
	$(BIN)/zizmor --offline --pedantic --quiet .github/workflows
	$(BIN)/actionlint -shellcheck $(BIN)/shellcheck

# The sdist, the wheel that is built from it, and that wheel in an environment where nothing of this checkout is.
dist: .venv/bench.done  ## build the sdist and the wheel, and check the wheel
	rm -rf dist
	$(BIN)/python -m build --quiet
	$(PYTHON) -m venv --clear .venv/dist
	.venv/dist/bin/python -m pip install --quiet "$$(echo dist/*.whl)[numba,jax,chart]"
	cd dist && ../.venv/dist/bin/jitkernels list
	cd dist && JITKERNELS_REQUIRE=numpy ../.venv/dist/bin/jitkernels check -b numpy
	cp examples/softmax.py .venv/dist
	cd .venv/dist && bin/jitkernels compare softmax.py -n 100 --processes 1 --html softmax.html

# The compilers beside C's loop on as many threads; ARGUMENTS='--points 1e8 --turns 3 --json' says otherwise.
limit: .venv/test.done  ## compare philox_pi on each compiler with C's loop; ARGUMENTS='--points 1e8'
	$(BIN)/python -m jitkernels.command.limit $(ARGUMENTS)

preview:  ## serve the site on http://127.0.0.1:8080/
	@test -d site || { echo "there is no site yet: make site first"; exit 1; }
	$(PYTHON) -m http.server --bind 127.0.0.1 --directory site 8080

# asv alone: the compilers come into the environment that asv makes. asv continuous wants a branch "main".
.venv/bench.done: pyproject.toml
	@echo "installing asv"
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	git rev-parse --quiet --verify main >/dev/null || git branch main origin/main || true  # only asv continuous needs it
	touch $@

.venv/gate.done: EXTRAS = gate
.venv/fleet.done: EXTRAS = fleet,gate
.venv/light.done: EXTRAS = numba,test
.venv/test.done: EXTRAS = all,test
.venv/gate.done .venv/fleet.done .venv/light.done .venv/test.done: .venv/bench.done
	$(BIN)/python -m pip install --quiet --editable '.[$(EXTRAS)]'
	touch $@

.venv/workflows.done: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[workflows]'
	touch $@

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

clean:  ## remove .venv, site, and .asv with all results measured here (make keep first)
	rm -rf .venv .asv site
