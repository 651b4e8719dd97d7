# rackrent - the same work, on which GPUs: ours, rented, or both?
#
#   make run     build, run the built-in scenario, say where the report is
#   make test    build, run all the tests
#   make help    all targets

VERSION := 0.1.0
BUILD ?= build
PREFIX ?= /usr/local
CC ?= gcc
PACKAGES := glib-2.0 gio-2.0 gsl yaml-0.1 sqlite3 libarchive jansson

-include $(BUILD)/flags.mk

OPTIMISE ?= -O3
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
CPPFLAGS += -D_GNU_SOURCE -I. -I$(BUILD)/gen -isystem /usr/include/check
CFLAGS += -std=c11 $(OPTIMISE) -g $(WARN) -pthread $(SANITIZE)
PKG_CFLAGS := $(subst -I,-isystem ,$(shell pkg-config --cflags $(PACKAGES) 2>/dev/null))
PKG_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lcsv
LDFLAGS += -pthread $(SANITIZE)
LDLIBS = $(PKG_LIBS) -lm

SOURCES := $(sort $(shell find models scenarios sim reports -name '*.c'))
TOOL_SOURCES := $(sort $(wildcard tools/rackrent/*.c))
TEST_SOURCES := $(sort $(shell find tests -name 'test_*.c'))
EMBEDDED := $(sort $(wildcard models/data/*.yaml)) scenarios/first-look.yaml
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/gen/embedded.o
TOOL_OBJECTS := $(TOOL_SOURCES:%.c=$(BUILD)/%.o)
TESTS := $(TEST_SOURCES:%.c=$(BUILD)/%)

.PHONY: all tests test run clean help
all: $(if $(wildcard tools/rackrent/main.c),$(BUILD)/rackrent,$(BUILD)/librackrent.a)

help:
	@sed -n 's/^#   //p' Makefile

$(BUILD)/rackrent: $(TOOL_OBJECTS) $(BUILD)/librackrent.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/librackrent.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/gen/embedded.c: $(EMBEDDED) tools/embed.sh
	@mkdir -p $(@D)
	tools/embed.sh $(EMBEDDED) >$@.new && mv $@.new $@

$(BUILD)/gen/embedded.o: $(BUILD)/gen/embedded.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(PKG_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/tests/support/test.o $(BUILD)/librackrent.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(shell pkg-config --libs check 2>/dev/null)

.SECONDARY:

tests: $(TESTS)

test: all tests
	@tests/run.sh $(TESTS)

clean:
	rm -rf $(BUILD)

-include $(OBJECTS:.o=.d) $(TOOL_OBJECTS:.o=.d) $(TESTS:=.d)
