/* Any bytes as a scenario: faults or a scenario, never a crash, never both. */
#include "scenarios/format/format.h"
#include "sim/scheduler/scheduler.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rr_faults faults;
	rr_faults_init(&faults);
	struct rr_load_options options = {.words = rr_scheduler_vocabulary()};
	struct scenario *scenario =
	    rr_scenario_load_bytes((const char *)data, size, "fuzz.yaml", "/nowhere", &options, &faults);
	if ((scenario != NULL) == rr_faults_any(&faults)) abort();
	rr_scenario_free(scenario);
	rr_faults_done(&faults);
	return 0;
}
