# rackrent - the same work, on which GPUs: ours, rented, or both?
#
#   make             build build/rackrent
#   make run         build, run the built-in scenario, say where the report is
#   make test        build, run all the tests
#   make bench       speed of engine, readers and simulation, with ratios
#   make verify      replay every published and reference result
#   make sanitize    the tests under ASan and UBSan, TSan, valgrind
#   make lint        clang-format, clang-tidy, cppcheck, shellcheck
#   make fuzz        libFuzzer on the loader and the readers (FUZZ_S=15 each)
#   make cover       lines covered by the tests
#   make docs        reference pages in build/docs
#   make install     PREFIX=/usr/local, DESTDIR=
#   make clean

VERSION := 0.1.0
BUILD ?= build
PREFIX ?= /usr/local
FUZZ_S ?= 15
ifeq ($(origin CC),default)
CC := gcc
endif
PACKAGES := glib-2.0 gio-2.0 gsl yaml-0.1 sqlite3 libarchive jansson

# What is missing is installed first; silent and instant when all is there.
NEEDS_TOOLS := $(if $(filter-out clean help,$(or $(MAKECMDGOALS),all)),yes)
ifeq ($(NEEDS_TOOLS),yes)
ifeq ($(RR_BOOTSTRAPPED),)
BOOTSTRAPPED := $(shell tools/bootstrap.sh 1>&2 && echo yes)
ifneq ($(BOOTSTRAPPED),yes)
$(error the packages named above are needed)
endif
endif
endif

OPTIMISE ?= -O3
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
PKG_CFLAGS := $(subst -I,-isystem ,$(shell pkg-config --cflags $(PACKAGES) check 2>/dev/null))
PKG_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lcsv -lglpk
override CPPFLAGS += -D_GNU_SOURCE -I. -I$(BUILD)/gen
override CFLAGS += -std=c11 $(OPTIMISE) -g $(WARN) -pthread $(SANITIZE)
override LDFLAGS += -pthread $(OPTIMISE) $(SANITIZE)
LDLIBS = $(PKG_LIBS) -lm
CHECK_LIBS := $(shell pkg-config --libs check 2>/dev/null)

SOURCES := $(sort $(shell find models scenarios sim reports -name '*.c'))
TOOL_SOURCES := $(sort $(wildcard tools/rackrent/*.c))
TEST_SOURCES := $(sort $(shell find tests -name 'test_*.c'))
BENCH_SOURCES := $(sort $(wildcard tests/bench/*.c))
VERIFY_SOURCES := $(sort $(wildcard tests/verify/*.c)) tests/support/table.c
SUPPORT_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))
EMBEDDED := $(sort $(wildcard models/data/*.yaml)) scenarios/first-look.yaml
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/gen/embedded.o
TOOL_OBJECTS := $(TOOL_SOURCES:%.c=$(BUILD)/%.o)
VERIFY_OBJECTS := $(VERIFY_SOURCES:%.c=$(BUILD)/%.o)
TESTS := $(TEST_SOURCES:%.c=$(BUILD)/%)
BENCHES := $(BENCH_SOURCES:%.c=$(BUILD)/%)
LIBRARY := $(BUILD)/librackrent.a

.PHONY: all help tests test run bench verify sanitize lint fuzz cover docs install clean FORCE
all: $(BUILD)/rackrent

help:
	@sed -n 's/^#   //p' Makefile

$(BUILD)/rackrent: $(TOOL_OBJECTS) $(LIBRARY)
	@echo '  LINK  $@'
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(LIBRARY): $(OBJECTS)
	@rm -f $@
	@$(AR) rcs $@ $^

# Other flags or another compiler: all is built again.
$(BUILD)/gen/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS)' | cmp -s - $@ || echo '$(CC) $(CPPFLAGS) $(CFLAGS)' >$@

$(BUILD)/gen/version.h: FORCE
	@mkdir -p $(@D)
	@tools/version.sh '$(VERSION)' '$(CC)' '$(OPTIMISE) $(SANITIZE)' >$@.new
	@cmp -s $@.new $@ || cp $@.new $@

$(BUILD)/gen/embedded.c: $(EMBEDDED) tools/embed.sh
	@mkdir -p $(@D)
	@tools/embed.sh $(EMBEDDED) >$@.new && mv $@.new $@

$(BUILD)/gen/embedded.o: $(BUILD)/gen/embedded.c $(BUILD)/gen/flags
	@$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/tools/rackrent/main.o: $(BUILD)/gen/version.h

$(BUILD)/%.o: %.c $(BUILD)/gen/flags
	@mkdir -p $(@D)
	@echo '  CC    $<'
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(PKG_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/verify/verify: $(VERIFY_OBJECTS) $(LIBRARY)
	@echo '  LINK  $@'
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(BUILD)/tests/support/table.o $(LIBRARY)
	@echo '  LINK  $@'
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/scheduler/test_own_policy: $(BUILD)/tests/scheduler/own_policy.o

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(SUPPORT_OBJECTS) $(LIBRARY)
	@echo '  LINK  $@'
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(CHECK_LIBS)

.SECONDARY:

tests: all $(TESTS)

test: tests
	@RR_BINARY=$(BUILD)/rackrent tests/run.sh $(TESTS)

run: all
	@$(BUILD)/rackrent run

bench: all $(BENCHES)
	@tests/bench/run.sh $(BENCHES)

verify: $(BUILD)/tests/verify/verify
	$(BUILD)/tests/verify/verify $(BUILD)/verify

sanitize:
	@tools/checks/sanitize.sh

lint:
	@tools/checks/lint.sh

fuzz:
	@tools/checks/fuzz.sh $(FUZZ_S)

cover:
	@tools/checks/cover.sh

docs: all
	@tools/checks/docs.sh $(BUILD)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/rackrent
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -m 755 $(BUILD)/rackrent $(DESTDIR)$(PREFIX)/bin/rackrent
	install -m 644 tools/man/rackrent.1 $(DESTDIR)$(PREFIX)/share/man/man1/rackrent.1
	install -m 644 tools/completion/rackrent.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rackrent
	install -m 644 tools/completion/_rackrent $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_rackrent
	install -m 644 scenarios/*.yaml $(DESTDIR)$(PREFIX)/share/rackrent/
	$(BUILD)/rackrent schema >$(DESTDIR)$(PREFIX)/share/rackrent/scenario.schema.json

clean:
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d) $(TOOL_OBJECTS:.o=.d) $(VERIFY_OBJECTS:.o=.d) $(TESTS:=.d) $(BENCHES:=.d) $(SUPPORT_OBJECTS:.o=.d)
