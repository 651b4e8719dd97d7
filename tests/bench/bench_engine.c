/* The hold model (Jones 1986): take the earliest event, draw an exponential
 * increment, put one back. Beside it, in the same run, the yardstick's structure
 * k2i alone, where ../shared/bench/hold.c is there: no draw, no dispatch. */
#include "models/random/random.h"
#include "sim/engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct bench {
	struct rr_engine engine;
	struct rr_stream luck;
};

static double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void hold(void *world, sim_time now, uint64_t argument)
{
	struct bench *b = world;
	double gap_s = -log(rr_stream_unit(&b->luck));
	(void)rr_engine_at(&b->engine, now + 1 + (sim_time)(gap_s * 1e9), RR_PHASE_FINISH, 0, argument);
}

/* Million events a second at PENDING, the best of three. */
static double run(size_t pending, int events)
{
	static const rr_handler handlers[] = {hold};
	double best = 0;
	for (int turn = 0; turn < 3; turn++) {
		struct bench b;
		rr_engine_init(&b.engine, handlers, pending);
		rr_stream_init(&b.luck, 1, RR_PURPOSE_TEST, 0);
		for (size_t i = 0; i < pending; i++)
			(void)rr_engine_at(&b.engine, (sim_time)(-log(rr_stream_unit(&b.luck)) * 1e9), RR_PHASE_FINISH,
					   0, i);
		for (size_t i = 0; i < 2 * pending; i++) rr_engine_step(&b.engine, &b);
		double begin = now_s();
		for (int i = 0; i < events; i++) rr_engine_step(&b.engine, &b);
		best = fmax(best, events / (now_s() - begin) / 1e6);
		rr_engine_done(&b.engine);
	}
	return best;
}

/* The yardstick at the same size, best of three; NAN where it is not there. */
static double yardstick(size_t pending, int events)
{
	double best = NAN;
	for (int turn = 0; turn < 3; turn++) {
		g_autofree char *command =
		    g_strdup_printf("build/bench/hold k2i %zu %d exp 2>/dev/null", pending, events);
		FILE *pipe = popen(command, "r");
		char line[256] = "";
		double rate = 0;
		if (pipe != NULL && fgets(line, sizeof line, pipe) != NULL && sscanf(line, "k2i %lf", &rate) == 1)
			best = best >= rate ? best : rate;
		if (pipe != NULL) pclose(pipe);
	}
	return best;
}

int main(void)
{
	static const size_t sizes[] = {1000, 10000, 100000, 1000000};
	bool built =
	    system("[ -e ../shared/bench/hold.c ] && mkdir -p build/bench && "
		   "cc -O3 -march=native -pthread -o build/bench/hold ../shared/bench/hold.c -lm 2>/dev/null") == 0;
	printf("hold model, million events per CPU second (one draw and one dispatch an event)\n"
	       "   pending   rackrent   bare k2i   ratio\n");
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		double ours = run(sizes[i], 3000000), bare = built ? yardstick(sizes[i], 3000000) : NAN;
		printf("%10zu   %8.2f   %8.2f   %5.2f\n", sizes[i], ours, bare, ours / bare);
		fflush(stdout);
	}
	return 0;
}
