/* write.c - our own CSV: what a list of jobs holds, and no column that no job uses. */
#include "scenarios/traces/traces.h"

#include <string.h>

enum optional { ESTIMATE, NAME, TENANT, CLASS, PRIORITY, POOL, MILLI, MEM, DEADLINE, CPUS, RAM, TYPES, OPTIONAL };
static const char *const names[OPTIONAL] = {"estimate_s", "name", "tenant",       "class",
					    "priority",   "pool", "gpu_milli",    "mem_bytes",
					    "deadline_s", "cpus", "memory_bytes", "gpu_types"};

static const struct job_needs *needs_of(const struct job_list *jobs, const struct job *job)
{
	static const struct job_needs nothing = {0};
	return job->needs > 0 ? &jobs->needs[job->needs - 1] : &nothing;
}

static bool uses(const struct job_list *jobs, const struct job *job, enum optional column)
{
	switch (column) {
	case ESTIMATE: return job->estimate_ns >= 0;
	case NAME: return job->name != 0;
	case TENANT: return job->tenant != 0;
	case CLASS: return job->klass != 0;
	case PRIORITY: return job->priority != 0;
	case POOL: return job->pool != 0;
	case MILLI: return job->gpu_milli != 1000;
	case MEM: return job->mem_bytes != 0;
	case DEADLINE: return job->deadline_ns > 0;
	case CPUS: return needs_of(jobs, job)->cpu_milli > 0;
	case RAM: return needs_of(jobs, job)->ram_bytes > 0;
	case TYPES: return needs_of(jobs, job)->gpu_types != 0;
	case OPTIONAL: break;
	}
	return false;
}

static void put_text(FILE *to, const char *text)
{
	/* Spaces at the ends are taken off by readers unless quoted; ours takes them off always. */
	if (strpbrk(text, ",\"\r\n") == NULL) {
		fputs(text, to);
		return;
	}
	fputc('"', to);
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '"') fputc('"', to);
		fputc(*c, to);
	}
	fputc('"', to);
}

static void put_seconds(FILE *to, sim_time ns)
{
	char buffer[32];
	fputs(rr_text_seconds(ns, buffer), to);
}

static void put_optional(FILE *to, const struct job_list *jobs, const struct job *job, enum optional column)
{
	fputc(',', to);
	switch (column) {
	case ESTIMATE:
		if (job->estimate_ns >= 0) put_seconds(to, job->estimate_ns);
		break;
	case NAME: put_text(to, rr_jobs_get_text(jobs, job->name)); break;
	case TENANT: put_text(to, rr_jobs_get_text(jobs, job->tenant)); break;
	case CLASS: put_text(to, rr_jobs_get_text(jobs, job->klass)); break;
	case PRIORITY: fprintf(to, "%d", job->priority); break;
	case POOL: put_text(to, rr_jobs_get_text(jobs, job->pool)); break;
	case MILLI: fprintf(to, "%d", job->gpu_milli); break;
	case MEM: fprintf(to, "%" G_GINT64_FORMAT, job->mem_bytes); break;
	case DEADLINE:
		if (job->deadline_ns > 0) put_seconds(to, job->deadline_ns);
		break;
	case CPUS: /* thousandths, as a decimal number */
		fprintf(to, "%" G_GINT64_FORMAT ".%03d", needs_of(jobs, job)->cpu_milli / 1000,
			(int)(needs_of(jobs, job)->cpu_milli % 1000));
		break;
	case RAM: fprintf(to, "%" G_GINT64_FORMAT, needs_of(jobs, job)->ram_bytes); break;
	case TYPES: put_text(to, rr_jobs_get_text(jobs, needs_of(jobs, job)->gpu_types)); break;
	case OPTIONAL: break;
	}
}

bool rr_trace_write_csv(const struct job_list *jobs, FILE *to)
{
	bool used[OPTIONAL] = {false};
	for (size_t i = 0; i < jobs->count; i++)
		for (int c = 0; c < OPTIONAL; c++) used[c] = used[c] || uses(jobs, &jobs->jobs[i], (enum optional)c);
	fputs("id,submit_s,gpus,duration_s", to);
	for (int c = 0; c < OPTIONAL; c++)
		if (used[c]) fprintf(to, ",%s", names[c]);
	fputc('\n', to);
	for (size_t i = 0; i < jobs->count; i++) {
		const struct job *job = &jobs->jobs[i];
		put_text(to, rr_jobs_get_text(jobs, job->id));
		fputc(',', to);
		put_seconds(to, job->submit_ns);
		fprintf(to, ",%d,", job->gpus);
		put_seconds(to, job->duration_ns);
		for (int c = 0; c < OPTIONAL; c++)
			if (used[c]) put_optional(to, jobs, job, (enum optional)c);
		fputc('\n', to);
	}
	return ferror(to) == 0;
}
