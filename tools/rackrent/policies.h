/* policies.h - what is said of policies. */
#ifndef RR_TOOLS_POLICIES_H
#define RR_TOOLS_POLICIES_H

#include "scenarios/scenarios.h"

/* The four words and the options that a preset stands for; caller frees. */
char *policy_meaning(const struct rr_word *preset);
/* The reference page of all tables, in Markdown. */
void policies_print_page(FILE *to);

#endif
