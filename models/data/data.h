/* data.h - the files that travel inside the program: catalogues, scenarios. */
#ifndef RR_MODELS_DATA_H
#define RR_MODELS_DATA_H

#include <stddef.h>

/* The bytes of NAME ("models/data/gpus.yaml") and their number, a 0 behind
 * them; NULL when there is no such file. */
const char *rr_data_file(const char *name, size_t *size);

#endif
