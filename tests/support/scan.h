/* scan.h - placements by looking at every node: slow, and plainly right. */
#ifndef RR_TESTS_SUPPORT_SCAN_H
#define RR_TESTS_SUPPORT_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* Whether rr_scan() knows what the placement named WORD means. */
bool rr_scan_knows(const char *word);
/* FREE GPUs of COUNT nodes of NODE_GPUS in one rack; the chosen nodes go into
 * NODES, false when there is no room. */
bool rr_scan(const char *word, const int32_t *free, int32_t count, int32_t node_gpus, int32_t gpus, int32_t *nodes);

#endif
