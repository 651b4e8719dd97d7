/* The tree of names against plain lists. */
#include "models/random/random.h"
#include "sim/scheduler/names.h"
#include "tests/support/test.h"

#include <string.h>

enum { NAMES = 400, LENGTH = 8 };

static size_t common_start(const char *a, const char *b)
{
	size_t length = 0;
	while (a[length] != '\0' && a[length] == b[length]) length++;
	return length;
}

/* Random names over two letters, so that every kind of branching occurs. */
START_TEST(tree_of_names_finds_what_a_list_finds)
{
	struct rr_stream luck;
	rr_stream_init(&luck, 31, RR_PURPOSE_TEST, 1);
	struct rr_names names;
	rr_names_init(&names);
	rr_names_new_tree(&names);
	int32_t root = rr_names_new_tree(&names);
	static char list[NAMES][LENGTH + 1];
	static double values[NAMES];
	for (int n = 0; n < NAMES; n++) {
		size_t length = 1 + rr_stream_u32(&luck) % LENGTH;
		for (size_t c = 0; c < length; c++) list[n][c] = (char)('a' + rr_stream_u32(&luck) % 2);
		list[n][length] = '\0';
		values[n] = rr_stream_unit(&luck);
		const struct rr_recent *exact, *similar;
		size_t shared, longest = 0;
		rr_names_find(&names, root, list[n], &exact, &similar, &shared);
		for (int m = 0; m < n; m++) longest = MAX(longest, common_start(list[m], list[n]));
		ck_assert_uint_eq(shared, longest);
		struct rr_recent same = {0}, near = {0};
		for (int m = 0; m < n; m++) {
			if (strcmp(list[m], list[n]) == 0) rr_recent_learn(&same, values[m], 0.9);
			if (common_start(list[m], list[n]) == longest) rr_recent_learn(&near, values[m], 0.9);
		}
		ck_assert((exact != NULL) == (same.weight > 0));
		if (exact != NULL) ck_assert(exact->sum == same.sum && exact->weight == same.weight);
		if (n > 0) ck_assert(similar->sum == near.sum && similar->weight == near.weight);
		rr_names_learn(&names, root, list[n], values[n], 0.9);
	}
	ck_assert_uint_le(names.nodes->len, 2 * NAMES + 2);
	rr_names_done(&names);
}
END_TEST

RR_TEST_MAIN("names", tree_of_names_finds_what_a_list_finds)
