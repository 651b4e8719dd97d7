/* scenario_table.c - every key of the scenario file, one row each. */
#include "scenarios/format/table.h"

#define QUANTITY(key, type_, member, dim)                                                                              \
	.name = key, .type = RR_KEY_QUANTITY, .at = offsetof(struct type_, member), .dimension = dim
#define TEXT(key, type_, member) .name = key, .type = RR_KEY_TEXT, .at = offsetof(struct type_, member)
#define INT(key, type_, member)                                                                                        \
	.name = key, .type = RR_KEY_INT, .at = offsetof(struct type_, member), .dimension = RR_DIM_COUNT
#define RECORD(key, type_, member, rows)                                                                               \
	.name = key, .type = RR_KEY_RECORD, .at = offsetof(struct type_, member), .table = &(rows)
#define END                                                                                                            \
	{                                                                                                              \
		.name = NULL                                                                                           \
	}

/* ---------------------------------------------------------------- workloads */

static const struct rr_key column_keys[] = {
    {TEXT("id", csv_columns, id), .help = "column of the job's identifier", .example = "job_id"},
    {TEXT("submit", csv_columns, submit), .help = "column of the submit time", .example = "submit_time"},
    {TEXT("gpus", csv_columns, gpus), .help = "column of the number of GPUs", .example = "num_gpu"},
    {TEXT("duration", csv_columns, duration), .help = "column of the run time", .example = "duration"},
    {TEXT("estimate", csv_columns, estimate), .help = "column of the user's estimate", .example = "limit"},
    {TEXT("pool", csv_columns, pool), .help = "column of the virtual cluster or partition", .example = "vc"},
    {TEXT("tenant", csv_columns, tenant), .help = "column of the tenant or user", .example = "user"},
    {TEXT("class", csv_columns, klass), .help = "column of the class", .example = "qos"},
    {TEXT("priority", csv_columns, priority), .help = "column of the priority", .example = "priority"},
    {TEXT("name", csv_columns, name), .help = "column of the job's name", .example = "name"},
    {TEXT("mem", csv_columns, mem), .help = "column of the memory per GPU in bytes", .example = "mem_bytes"},
    {TEXT("deadline", csv_columns, deadline), .help = "column of the time by which a job should have ended",
     .example = "due"},
    {TEXT("cpus", csv_columns, cpus), .help = "column of the CPUs of the job on each node", .example = "cpu"},
    {TEXT("memory", csv_columns, memory), .help = "column of the memory of the job on each node in bytes",
     .example = "ram_bytes"},
    {TEXT("gpu_types", csv_columns, gpu_types), .help = "column of the types of GPU, any of them, parted by |",
     .example = "gpu_type"},
    {TEXT("time_unit", csv_columns, time_unit), .help = "of all times: s, ms, or stamp (2025-01-01 00:00:00)",
     .example = "ms"},
    END};
static const struct rr_table columns_table = {.name = "column map",
					      .about = "Which columns of a CSV trace hold what.",
					      .size = sizeof(struct csv_columns),
					      .keys = column_keys};

static const struct rr_key trace_keys[] = {
    {.name = "file",
     .type = RR_KEY_PATH,
     .at = offsetof(struct trace_spec, file),
     .required = true,
     .help = "the trace, plain or compressed (gz, zst, xz, zip)",
     .example = "jobs.csv"},
    {TEXT("format", trace_spec, format),
     .help = "format of the trace; without it, from its content (rackrent catalog formats)", .example = "helios"},
    {RECORD("columns", trace_spec, columns, columns_table), .help = "columns of a CSV with names of its own"},
    {.name = "throughputs",
     .type = RR_KEY_PATH,
     .at = offsetof(struct trace_spec, throughputs),
     .help = "steps per second of the job types of a gavel trace (JSON)",
     .example = "throughputs.json"},
    {.name = "strict",
     .type = RR_KEY_BOOL,
     .at = offsetof(struct trace_spec, strict),
     .preset = "false",
     .help = "rows that cannot be used are errors",
     .example = "true"},
    {QUANTITY("skip", trace_spec, skip_ns, RR_DIM_DURATION), .least = "0s", .preset = "0s",
     .help = "leave out jobs submitted before this time of the trace", .example = "7d"},
    {QUANTITY("window", trace_spec, window_ns, RR_DIM_DURATION), .least = "0s", .preset = "0s",
     .help = "take only jobs of so long a time; 0s = to the end", .example = "60d"},
    {QUANTITY("time_scale", trace_spec, time_scale, RR_DIM_RATIO), .least = "0.000001", .most = "1000000",
     .preset = "1", .help = "submit times times this; 0.5 doubles the load", .example = "0.5"},
    {QUANTITY("size_scale", trace_spec, size_scale, RR_DIM_RATIO), .least = "0.000001", .most = "1000000",
     .preset = "1", .help = "GPUs of each job times this, rounded, at least 1", .example = "2"},
    {QUANTITY("duration_scale", trace_spec, duration_scale, RR_DIM_RATIO), .least = "0.000001", .most = "1000000",
     .preset = "1", .help = "run times and estimates times this", .example = "1.5"},
    {.name = "repeat",
     .type = RR_KEY_BOOL,
     .at = offsetof(struct trace_spec, repeat),
     .preset = "false",
     .help = "fill the horizon with copies of the trace",
     .example = "true"},
    {QUANTITY("growth", trace_spec, growth_per_year, RR_DIM_RATIO_PER_YEAR), .least = "-90%/y", .most = "10000%/y",
     .preset = "0%/y", .help = "growth of the number of jobs in later copies", .example = "20%/y"},
    END};
static const struct rr_table trace_table = {
    .name = "trace", .about = "Recorded work.", .size = sizeof(struct trace_spec), .keys = trace_keys};

static const struct rr_key burst_keys[] = {{.name = "on",
					    .type = RR_KEY_SECONDS,
					    .at = offsetof(struct rr_arrivals, burst_on_s),
					    .dimension = RR_DIM_DURATION,
					    .least = "1ms",
					    .required = true,
					    .help = "mean length of a burst",
					    .example = "2h"},
					   {.name = "off",
					    .type = RR_KEY_SECONDS,
					    .at = offsetof(struct rr_arrivals, burst_off_s),
					    .dimension = RR_DIM_DURATION,
					    .least = "1ms",
					    .required = true,
					    .help = "mean time between bursts",
					    .example = "6h"},
					   END};
/* Laid over the arrivals themselves: unset times are made 0 (always on) when resolved. */
static const struct rr_table burst_table = {.name = "bursts",
					    .about = "Arrivals in bursts; the mean rate stays as given.",
					    .size = sizeof(struct rr_arrivals),
					    .keys = burst_keys};

static const struct rr_key arrival_keys[] = {
    {QUANTITY("rate", rr_arrivals, rate_per_s, RR_DIM_RATE), .least = "0/h", .most = "1000000/s", .required = true,
     .help = "mean rate of submits", .example = "4/h"},
    {.name = "profile",
     .type = RR_KEY_FORM,
     .form = &rr_form_profile,
     .at = offsetof(struct rr_arrivals, weights),
     .preset = "flat",
     .help = "how the rate changes through the week",
     .example = "office-hours"},
    {.name = "bursts", .type = RR_KEY_RECORD, .at = 0, .table = &burst_table, .help = "submits come in bursts"},
    {QUANTITY("growth", rr_arrivals, growth_per_year, RR_DIM_RATIO_PER_YEAR), .least = "-90%/y", .most = "10000%/y",
     .preset = "0%/y", .help = "growth of the rate", .example = "20%/y"},
    END};
static const struct rr_table arrivals_table = {
    .name = "arrivals", .about = "When jobs are submitted.", .size = sizeof(struct rr_arrivals), .keys = arrival_keys};

static const struct rr_key synthetic_keys[] = {
    {RECORD("arrivals", synthetic_spec, arrivals, arrivals_table), .required = true, .help = "when jobs are submitted"},
    {.name = "gpus",
     .type = RR_KEY_FORM,
     .form = &rr_form_sizes,
     .at = offsetof(struct synthetic_spec, sizes),
     .required = true,
     .help = "GPUs of a job, with the share of jobs that ask for so many",
     .example = "{1: 60%, 2: 15%, 4: 15%, 8: 10%}"},
    {.name = "duration",
     .type = RR_KEY_FORM,
     .form = &rr_form_duration,
     .at = offsetof(struct synthetic_spec, duration),
     .required = true,
     .help = "how long jobs run",
     .example = "{lognormal: {median: 30min, p95: 20h}}"},
    {.name = "duration_min",
     .type = RR_KEY_SECONDS,
     .at = offsetof(struct synthetic_spec, duration_min_s),
     .dimension = RR_DIM_DURATION,
     .least = "0s",
     .preset = "1s",
     .help = "shorter draws are made so long",
     .example = "10s"},
    {.name = "duration_max",
     .type = RR_KEY_SECONDS,
     .at = offsetof(struct synthetic_spec, duration_max_s),
     .dimension = RR_DIM_DURATION,
     .least = "0s",
     .preset = "0s",
     .help = "longer draws are made so long; 0s = no limit",
     .example = "14d"},
    {.name = "tenants",
     .type = RR_KEY_FORM,
     .form = &rr_form_tenants,
     .at = offsetof(struct synthetic_spec, tenants),
     .help = "whose the jobs are, with the share of jobs of each",
     .example = "{vision: 60%, speech: 40%}"},
    {.name = "priorities",
     .type = RR_KEY_FORM,
     .form = &rr_form_priorities,
     .at = offsetof(struct synthetic_spec, priorities),
     .help = "priorities of the jobs, with the share of jobs of each",
     .example = "{0: 80%, 5: 20%}"},
    {INT("jobs", synthetic_spec, job_limit), .wide = true, .least = "0", .most = "100000000", .preset = "0",
     .help = "stop after so many; 0 = at the horizon", .example = "10000"},
    {QUANTITY("estimate_factor", synthetic_spec, estimate_factor, RR_DIM_RATIO), .least = "0", .most = "1000000",
     .preset = "0", .help = "users estimate the run time times this; 0 = no estimates", .example = "2"},
    END};
static const struct rr_table synthetic_table = {.name = "synthetic",
						.about = "Work drawn from distributions.",
						.size = sizeof(struct synthetic_spec),
						.keys = synthetic_keys};

#define FLAG(label, type_, field)                                                                                      \
	.name = label, .type = RR_KEY_BOOL, .at = offsetof(struct type_, field), .preset = "false"
#define TEXTS(label, type_, field) .name = label, .type = RR_KEY_TEXTS, .at = offsetof(struct type_, field)

static const struct rr_key needs_keys[] = {
    {TEXTS("gpu", needs_spec, gpus), .help = "types of GPU, any of them (rackrent catalog gpus)",
     .example = "[a100-sxm-40, h100-sxm]"},
    {QUANTITY("gpu_memory", needs_spec, mem_bytes, RR_DIM_BYTES), .least = "0B", .preset = "0B", .help = "of each GPU",
     .example = "40GiB"},
    {QUANTITY("cpus", needs_spec, cpus, RR_DIM_RATIO), .least = "0", .most = "100000", .preset = "0",
     .help = "of the job on each node", .example = "8"},
    {QUANTITY("memory", needs_spec, ram_bytes, RR_DIM_BYTES), .least = "0B", .preset = "0B",
     .help = "of the job on each node", .example = "64GiB"},
    {FLAG("same_node", needs_spec, same_node), .help = "all its GPUs in one node", .example = "true"},
    {FLAG("same_rack", needs_spec, same_rack), .help = "all its nodes in one rack", .example = "true"},
    {FLAG("spread", needs_spec, spread), .help = "one GPU on each of as many nodes", .example = "true"},
    {TEXT("region", needs_spec, region), .help = "region of the instance, or site of the node", .example = "us-east-1"},
    {TEXTS("labels", needs_spec, labels), .help = "labels that the pool must have, all of them", .example = "[net=ib]"},
    END};
static const struct rr_table needs_table = {.name = "needs",
					    .about = "What jobs ask for beside a number of GPUs.",
					    .size = sizeof(struct needs_spec),
					    .keys = needs_keys};

static const struct rr_key range_keys[] = {
    {INT("min", range_spec, least), .least = "1", .most = "1000000", .preset = "1", .help = "GPUs, at least",
     .example = "1"},
    {INT("max", range_spec, most), .least = "1", .most = "1000000", .required = true, .help = "GPUs, at most",
     .example = "16"},
    {QUANTITY("serial", range_spec, serial, RR_DIM_RATIO), .least = "0%", .most = "100%", .preset = "0%",
     .help = "part of the work that more GPUs do not speed up (Amdahl)", .example = "5%"},
    {.name = "speedup",
     .type = RR_KEY_FORM,
     .form = &rr_form_numbers,
     .at = offsetof(struct range_spec, curve),
     .help = "measured speed-ups by number of GPUs, instead of 'serial'; straight lines between them",
     .example = "{1: 1, 2: 1.9, 4: 3.4, 8: 5.8}"},
    END};
static const struct rr_table range_table = {.name = "elastic",
					    .about = "Jobs that run on fewer or more GPUs than they ask for, where the "
						     "scheduler may choose (elastic-max, goodput).",
					    .size = sizeof(struct range_spec),
					    .keys = range_keys};

static const char *const workload_kinds[] = {"jobs", NULL};

static const struct rr_key workload_keys[] = {
    {.name = "kind",
     .type = RR_KEY_WORD,
     .words = workload_kinds,
     .at = offsetof(struct workload, kind),
     .preset = "jobs",
     .help = "what kind of work this is",
     .example = "jobs"},
    {RECORD("trace", workload, trace, trace_table), .flagged = true, .also = offsetof(struct workload, has_trace),
     .help = "recorded work (or synthetic)"},
    {RECORD("synthetic", workload, synthetic, synthetic_table), .flagged = true,
     .also = offsetof(struct workload, has_synthetic), .help = "drawn work (or trace)"},
    {TEXT("reference_gpu", workload, reference_gpu_name), .help = "GPU on which the run times were measured",
     .example = "v100-sxm2-32"},
    {TEXT("class", workload, klass), .help = "class of jobs that have none", .example = "development"},
    {TEXT("tenant", workload, tenant), .help = "tenant of jobs that have none", .example = "vision"},
    {QUANTITY("deadline", workload, deadline_ns, RR_DIM_DURATION), .least = "0s", .preset = "0s",
     .help = "jobs should have ended so long after submit (order edf); 0s = none", .example = "24h"},
    {RECORD("needs", workload, needs, needs_table), .help = "what jobs ask for beside GPUs"},
    {RECORD("elastic", workload, range, range_table), .help = "jobs that shrink and grow"},
    {.name = "speed",
     .type = RR_KEY_FORM,
     .form = &rr_form_numbers,
     .at = offsetof(struct workload, speed),
     .help = "how many times as fast jobs run on a type or family of GPU; 0 = not at all, types not named: 1",
     .example = "{v100: 1, p100: 45%, k80: 0}"},
    {INT("priority", workload, priority), .preset = "0", .help = "added to each job's own priority; higher goes first",
     .example = "10"},
    END};
static const struct rr_table workload_table = {.name = "workload",
					       .about = "Work to be done: the same for every fleet.",
					       .size = sizeof(struct workload),
					       .name_at = offsetof(struct workload, name),
					       .keys = workload_keys};

/* ------------------------------------------------------------------- fleets */

static const struct rr_key only_keys[] = {
    {TEXT("vc", pool_spec, only_pool), .help = "the virtual cluster or partition that a job names",
     .example = "0e4a51"},
    {TEXT("class", pool_spec, only_class), .help = "class of the job", .example = "development"},
    {TEXT("tenant", pool_spec, only_tenant), .help = "tenant of the job", .example = "vision"},
    END};
static const struct rr_table only_table = {.name = "filter",
					   .about = "The pool takes only jobs with all of these.",
					   .size = sizeof(struct pool_spec),
					   .keys = only_keys};

static const char *const pool_kinds[] = {"physical", "cloud", NULL};

static const struct rr_key pool_keys[] = {
    {.name = "kind",
     .type = RR_KEY_WORD,
     .words = pool_kinds,
     .at = offsetof(struct pool_spec, kind),
     .preset = "physical",
     .help = "bought nodes, or rented instances",
     .example = "cloud"},
    {TEXT("node", pool_spec, node_name), .help = "physical: node type (rackrent catalog nodes)",
     .example = "dgx-a100-40gb"},
    {TEXT("instance", pool_spec, instance_name), .help = "cloud: instance type (rackrent catalog instances)",
     .example = "aws/p4d.24xlarge"},
    {TEXT("region", pool_spec, region), .help = "cloud: region of the price; without it the first one listed",
     .example = "us-east-1"},
    {.name = "count",
     .type = RR_KEY_FORM,
     .form = &rr_form_count,
     .at = offsetof(struct pool_spec, count_min),
     .help = "nodes or instances; cloud pools grow between limits",
     .example = "8"},
    {INT("gpus_per_node", pool_spec, gpus_per_node), .least = "1", .most = "1024", .help = "nodes of no known type",
     .example = "8"},
    {INT("gpus", pool_spec, flat_gpus), .least = "1", .most = "100000000",
     .help = "a pool of so many GPUs without nodes", .example = "512"},
    {TEXT("gpu", pool_spec, gpu_name), .help = "GPU type of nodes that have none (rackrent catalog gpus)",
     .example = "a100-sxm-40"},
    {TEXT("site", pool_spec, site_name), .help = "physical: where it stands (sites); without it the only site",
     .example = "home"},
    {QUANTITY("speed", pool_spec, speed, RR_DIM_RATIO), .least = "0.001", .most = "1000", .preset = "1",
     .help = "how many times as fast as the reference GPU", .example = "2"},
    {.name = "only", .type = RR_KEY_RECORD, .at = 0, .table = &only_table, .help = "takes only such jobs"},
    {INT("nodes_per_rack", pool_spec, nodes_per_rack), .least = "0", .most = "100000", .preset = "0",
     .help = "racks of so many nodes, for placements and jobs that look at them; 0 = one rack", .example = "4"},
    {TEXT("model", pool_spec, model), .help = "what jobs call its GPU, where that is not the catalogue's name",
     .example = "G2"},
    {TEXTS("labels", pool_spec, labels), .help = "what jobs may ask for", .example = "[net=ib, tier=gold]"},
    {QUANTITY("cpus", pool_spec, cpus, RR_DIM_RATIO), .least = "0", .most = "100000", .preset = "0",
     .help = "of a node; without it the catalogue's", .example = "96"},
    {QUANTITY("memory", pool_spec, node_ram_bytes, RR_DIM_BYTES), .least = "0B", .preset = "0B",
     .help = "of a node; without it the catalogue's", .example = "1TiB"},
    {.name = "boot",
     .type = RR_KEY_FORM,
     .form = &rr_form_duration,
     .at = offsetof(struct pool_spec, boot),
     .help = "cloud: from request to ready; without it the fleet's",
     .example = "3min"},
    {QUANTITY("idle", pool_spec, idle_ns, RR_DIM_DURATION), .least = "0s",
     .help = "cloud: given back after so long without work; without it the fleet's", .example = "10min"},
    {QUANTITY("lead_time", pool_spec, lead_time_ns, RR_DIM_DURATION), .least = "0s", .preset = "0s",
     .help = "physical: nodes come so long after the start", .example = "12weeks"},
    {QUANTITY("price", pool_spec, price_micros, RR_DIM_MONEY), .least = "0 USD", .mark = RR_KEY_MONEY,
     .help = "physical: to buy one node (flat: one GPU); without it the catalogue's", .example = "199000 USD"},
    {QUANTITY("rent", pool_spec, price_micros_per_hour, RR_DIM_MONEY_PER_HOUR), .least = "0 USD/h",
     .mark = RR_KEY_MONEY, .help = "cloud: one instance; without it the catalogue's", .example = "21.96 USD/h"},
    {QUANTITY("billing_step", pool_spec, billing_step_ns, RR_DIM_DURATION), .least = "1ms", .mark = RR_KEY_MONEY,
     .help = "cloud: time is rounded up to this; without it the provider's", .example = "1s"},
    {QUANTITY("billing_minimum", pool_spec, billing_minimum_ns, RR_DIM_DURATION), .least = "0s", .mark = RR_KEY_MONEY,
     .help = "cloud: each instance is billed at least so long; without it the provider's", .example = "60s"},
    END};
static const struct rr_table pool_table = {.name = "pool",
					   .about = "Nodes or instances of one kind.",
					   .size = sizeof(struct pool_spec),
					   .name_at = offsetof(struct pool_spec, name),
					   .keys = pool_keys};

static const char *const autoscale_ways[] = {"pending", NULL};

static const struct rr_key autoscale_keys[] = {{.name = "by",
						.type = RR_KEY_WORD,
						.words = autoscale_ways,
						.at = offsetof(struct autoscale_spec, by),
						.preset = "pending",
						.help = "what asks for instances: jobs that wait",
						.example = "pending"},
					       {.name = "boot",
						.type = RR_KEY_FORM,
						.form = &rr_form_duration,
						.at = offsetof(struct autoscale_spec, boot),
						.preset = "3min",
						.help = "from request to ready",
						.example = "{lognormal: {median: 2min, p95: 6min}}"},
					       {QUANTITY("idle", autoscale_spec, idle_ns, RR_DIM_DURATION),
						.least = "0s", .preset = "10min",
						.help = "given back after so long without work", .example = "10min"},
					       END};
static const struct rr_table autoscale_table = {.name = "autoscale",
						.about = "How rented pools grow and shrink.",
						.size = sizeof(struct autoscale_spec),
						.keys = autoscale_keys};

static const struct rr_key queue_keys[] = {
    {TEXT("parent", queue_spec, parent_name), .help = "the queue whose limits hold for this one, too",
     .example = "research"},
    {QUANTITY("weight", queue_spec, weight, RR_DIM_RATIO), .least = "0.001", .most = "1000000", .preset = "1",
     .help = "of a fair share", .example = "2"},
    {INT("guaranteed", queue_spec, guaranteed), .wide = true, .least = "0", .most = "100000000", .preset = "0",
     .help = "GPUs that it gets before others may borrow them", .example = "32"},
    {INT("max", queue_spec, most), .wide = true, .least = "0", .most = "100000000", .preset = "0",
     .help = "GPUs that it never exceeds; 0 = no limit", .example = "64"},
    {INT("jobs", queue_spec, most_jobs), .least = "0", .most = "100000000", .preset = "0",
     .help = "jobs that run at once; 0 = no limit", .example = "20"},
    {.name = "borrow",
     .type = RR_KEY_BOOL,
     .at = offsetof(struct queue_spec, borrow),
     .preset = "true",
     .help = "may hold more than guaranteed while others leave it free",
     .example = "false"},
    END};
static const struct rr_table queue_table = {
    .name = "queue",
    .about = "A tenant's share. Jobs belong to the queue named as their tenant, else their class, else their virtual "
	     "cluster, else to one named default.",
    .size = sizeof(struct queue_spec),
    .name_at = offsetof(struct queue_spec, name),
    .keys = queue_keys};

static const struct rr_key fleet_keys[] = {
    {TEXT("extends", fleet_spec, extends), .help = "another fleet, over which this one is laid", .example = "own"},
    {.name = "pools",
     .type = RR_KEY_MAP,
     .at = offsetof(struct fleet_spec, pools),
     .also = offsetof(struct fleet_spec, pool_count),
     .table = &pool_table,
     .required = true,
     .inherited = true,
     .help = "the GPUs of this fleet; jobs go to the first pool with room among those that take them"},
    {.name = "scheduler",
     .type = RR_KEY_FORM,
     .form = &rr_form_scheduler,
     .at = offsetof(struct fleet_spec, scheduler),
     .preset = "fcfs",
     .help = "who runs next, and where (rackrent catalog policies)",
     .example = "easy"},
    {.name = "queues",
     .type = RR_KEY_MAP,
     .at = offsetof(struct fleet_spec, queues),
     .also = offsetof(struct fleet_spec, queue_count),
     .table = &queue_table,
     .help = "shares and limits of tenants"},
    {RECORD("autoscale", fleet_spec, autoscale, autoscale_table),
     .help = "for rented pools that do not say it themselves"},
    END};
static const struct rr_table fleet_table = {.name = "fleet",
					    .about = "One complete answer to all the workloads.",
					    .size = sizeof(struct fleet_spec),
					    .name_at = offsetof(struct fleet_spec, name),
					    .keys = fleet_keys};

/* -------------------------------------------------------------------- money */

static const struct rr_key site_keys[] = {
    {QUANTITY("pue", site, pue, RR_DIM_RATIO), .least = "1", .most = "10", .preset = "1.5", .mark = RR_KEY_MONEY,
     .help = "energy of the site per energy of its computers", .example = "1.4"},
    {QUANTITY("electricity", site, electricity_micros_per_kwh, RR_DIM_MONEY_PER_KWH), .least = "0 USD/kWh",
     .required = true, .mark = RR_KEY_MONEY, .help = "price of electricity", .example = "0.12 USD/kWh"},
    END};
static const struct rr_table site_table = {.name = "site",
					   .about = "A place where bought nodes stand.",
					   .size = sizeof(struct site),
					   .name_at = offsetof(struct site, name),
					   .keys = site_keys};

static const struct rr_key staff_keys[] = {
    {QUANTITY("per", finance, staff_per_gpus, RR_DIM_COUNT_PER), .least = "1 GPUs", .preset = "200 GPUs",
     .mark = RR_KEY_MONEY, .help = "one post for so many GPUs, in fractions", .example = "200 GPUs"},
    {QUANTITY("cost", finance, staff_micros_per_year, RR_DIM_MONEY_PER_YEAR), .least = "0 USD/y", .mark = RR_KEY_MONEY,
     .preset = "0", .help = "of one post, all included", .example = "180 kUSD/y"},
    END};
static const struct rr_table staff_table = {
    .name = "staff", .about = "People who run bought nodes.", .size = sizeof(struct finance), .keys = staff_keys};

static const struct rr_key finance_keys[] = {
    {INT("years", finance, years), .least = "1", .most = "30", .preset = "3", .mark = RR_KEY_MONEY,
     .help = "of the outlook", .example = "3"},
    {QUANTITY("wacc", finance, wacc, RR_DIM_RATIO), .least = "0%", .most = "100%", .preset = "8%", .mark = RR_KEY_MONEY,
     .help = "cost of capital per year, for the net present value", .example = "8%"},
    {QUANTITY("maintenance", finance, maintenance, RR_DIM_RATIO), .least = "0%", .most = "100%", .preset = "0%",
     .mark = RR_KEY_MONEY, .help = "share of the purchase price per year", .example = "5%"},
    {QUANTITY("installation", finance, installation, RR_DIM_RATIO), .least = "0%", .most = "100%", .preset = "0%",
     .mark = RR_KEY_MONEY, .help = "share of the purchase price, once", .example = "3%"},
    {.name = "staff", .type = RR_KEY_RECORD, .at = 0, .table = &staff_table, .help = "people who run bought nodes"},
    END};
static const struct rr_table finance_table = {
    .name = "finance", .about = "What money costs.", .size = sizeof(struct finance), .keys = finance_keys};

static const struct rr_key report_keys[] = {{TEXT("baseline", scenario, baseline_name),
					     .help = "the fleet that others are compared with; without it the first",
					     .example = "own"},
					    END};
static const struct rr_table report_table = {
    .name = "report", .about = "What the report shows.", .size = sizeof(struct scenario), .keys = report_keys};

/* --------------------------------------------------------------------- root */

static const struct rr_key scenario_keys[] = {
    {INT("rackrent", scenario, version), .wide = true, .least = "1", .most = "1", .required = true,
     .help = "version of this format", .example = "1"},
    {TEXT("name", scenario, name), .required = true, .help = "names the results", .example = "research-group"},
    {TEXT("question", scenario, question), .help = "heads the report",
     .example = "Should our training work run on our own GPUs?"},
    {.name = "start",
     .type = RR_KEY_DATE,
     .at = offsetof(struct scenario, start_epoch_s),
     .preset = "2025-01-01",
     .help = "civil time of the start, for weekdays and prices",
     .example = "2025-01-01"},
    {QUANTITY("horizon", scenario, horizon_ns, RR_DIM_DURATION), .least = "0s", .most = "100y", .preset = "0s",
     .help = "simulated time; 0s = until the last job of the traces ends", .example = "1y"},
    {TEXT("currency", scenario, currency_text), .help = "of all money in this file", .preset = "USD", .example = "USD"},
    {INT("seed", scenario, seed), .wide = true, .least = "0", .preset = "1", .help = "of all luck", .example = "1"},
    {INT("replications", scenario, replications), .least = "1", .most = "100000", .preset = "1",
     .help = "runs with different luck", .example = "8"},
    {.name = "catalogue",
     .type = RR_KEY_TEXTS,
     .at = offsetof(struct scenario, catalogue_names),
     .help = "your own catalogue files, relative to this one",
     .example = "[ours.yaml]"},
    {.name = "workloads",
     .type = RR_KEY_MAP,
     .at = offsetof(struct scenario, workloads),
     .also = offsetof(struct scenario, workload_count),
     .table = &workload_table,
     .required = true,
     .help = "the work; every fleet gets the same jobs"},
    {.name = "fleets",
     .type = RR_KEY_MAP,
     .at = offsetof(struct scenario, fleets),
     .also = offsetof(struct scenario, fleet_count),
     .table = &fleet_table,
     .required = true,
     .help = "the alternatives that are compared"},
    {.name = "sites",
     .type = RR_KEY_MAP,
     .at = offsetof(struct scenario, sites),
     .also = offsetof(struct scenario, site_count),
     .table = &site_table,
     .help = "where bought nodes stand"},
    {RECORD("finance", scenario, finance, finance_table), .help = "what money costs"},
    {.name = "report", .type = RR_KEY_RECORD, .at = 0, .table = &report_table, .help = "what the report shows"},
    END};
const struct rr_table rr_scenario_table = {.name = "scenario",
					   .about = "Work, and the fleets that may do it.",
					   .size = sizeof(struct scenario),
					   .keys = scenario_keys};
