/* philox.h - the block function of the streams. Private to models/random. */
#ifndef RR_MODELS_RANDOM_PHILOX_H
#define RR_MODELS_RANDOM_PHILOX_H

#include <stdint.h>

/* Philox4x32-10: four words from a counter and a key. */
void rr_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#endif
