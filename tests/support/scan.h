/* scan.h - placements by looking at every node: slow, and plainly right. */
#ifndef RR_TESTS_SUPPORT_SCAN_H
#define RR_TESTS_SUPPORT_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* FREE GPUs of COUNT nodes of NODE_GPUS; the chosen nodes go into NODES. Helios'
 * rule: the fullest node that fits, lowest index on ties; for more than a node,
 * wholly free ones and then the emptiest for the rest. */
bool rr_scan_best(const int32_t *free, int32_t count, int32_t node_gpus, int32_t gpus, int32_t *nodes);
/* The first node that fits; for more than a node as above. */
bool rr_scan_first(const int32_t *free, int32_t count, int32_t node_gpus, int32_t gpus, int32_t *nodes);

#endif
