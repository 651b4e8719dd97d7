/* philox.c - Philox4x32-10: numbers as a function of a counter.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as
 * easy as 1, 2, 3. SC 2011, section 3.3. Each of ten rounds multiplies two words
 * by constants, swaps the halves of the products and mixes in the key, which
 * moves by a Weyl sequence. */
#include "models/random/philox.h"

#include <string.h>

enum { ROUNDS = 10 };

/* The constants that define Philox4x32 (table 2 of the paper: golden ratio and
 * square root of 3 less 1 as Weyl steps). */
#define MULTIPLIER_0 UINT32_C(0xD2511F53)
#define MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define WEYL_0       UINT32_C(0x9E3779B9)
#define WEYL_1       UINT32_C(0xBB67AE85)

void rr_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
	uint32_t k0 = key[0], k1 = key[1];
	memcpy(out, counter, 4 * sizeof *out);
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t a = (uint64_t)MULTIPLIER_0 * out[0], b = (uint64_t)MULTIPLIER_1 * out[2];
		out[0] = (uint32_t)(b >> 32) ^ out[1] ^ k0;
		out[1] = (uint32_t)b;
		out[2] = (uint32_t)(a >> 32) ^ out[3] ^ k1;
		out[3] = (uint32_t)a;
		k0 += WEYL_0;
		k1 += WEYL_1;
	}
}
