/* stream.c - streams keyed by (seed, purpose, entity).
 *
 * The key of Philox is the seed; the counter holds the entity (64 bits), the
 * purpose (8) and the number of the block (56). No two streams of a seed ever
 * share a counter, so they cannot overlap, and a stream costs nothing until it
 * is drawn from. */
#include "models/random/philox.h"
#include "models/random/random.h"

#include <math.h>

enum { PURPOSE_SHIFT = 24, SEED_PURPOSE = 255 };

static void begin(struct rr_stream *stream, uint64_t seed, uint32_t purpose, uint64_t entity)
{
	*stream = (struct rr_stream){
	    .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
	    .counter = {0, purpose << PURPOSE_SHIFT, (uint32_t)entity, (uint32_t)(entity >> 32)},
	};
}

/* Not seed + replication: replication 1 of seed 1 would be replication 0 of
 * seed 2, and two studies that were meant to be independent would share runs. */
uint64_t rr_replication_seed(uint64_t seed, int replication)
{
	struct rr_stream stream;
	begin(&stream, seed, SEED_PURPOSE, (uint64_t)replication);
	return rr_stream_u64(&stream);
}

void rr_stream_init(struct rr_stream *stream, uint64_t seed, enum rr_purpose purpose, uint64_t entity)
{
	g_assert((uint32_t)purpose < SEED_PURPOSE);
	begin(stream, seed, (uint32_t)purpose, entity);
}

uint32_t rr_stream_u32(struct rr_stream *stream)
{
	if (stream->left == 0) {
		rr_philox4x32(stream->counter, stream->key, stream->out);
		stream->left = G_N_ELEMENTS(stream->out);
		if (++stream->counter[0] == 0) stream->counter[1]++;
	}
	return stream->out[G_N_ELEMENTS(stream->out) - stream->left--];
}

uint64_t rr_stream_u64(struct rr_stream *stream)
{
	uint64_t low = rr_stream_u32(stream);
	return low | (uint64_t)rr_stream_u32(stream) << 32;
}

double rr_stream_unit(struct rr_stream *stream)
{
	/* Odd multiples of 2^-53: exact, never 0 and never 1. */
	return ((double)(rr_stream_u64(stream) >> 12) + 0.5) * 0x1p-52;
}

/* GSL's interface: the stream is the state. */
static void gsl_set(void *state, unsigned long seed)
{
	rr_stream_init(state, seed, RR_PURPOSE_TEST, 0);
}

static unsigned long gsl_get(void *state)
{
	return rr_stream_u32(state);
}

static double gsl_get_double(void *state)
{
	return rr_stream_unit(state);
}

static const gsl_rng_type philox_type = {
    "philox4x32-10", UINT32_MAX, 0, sizeof(struct rr_stream), gsl_set, gsl_get, gsl_get_double,
};

void rr_stream_gsl(struct rr_stream *stream, gsl_rng *rng)
{
	rng->type = &philox_type;
	rng->state = stream;
}

double rr_stream_normal(struct rr_stream *stream)
{
	double radius = sqrt(-2 * log(rr_stream_unit(stream)));
	return radius * cos(2 * M_PI * rr_stream_unit(stream));
}
