/* store.c - see store.h. */
#include "reports/store/store.h"

#include "reports/files.h"
#include "reports/tables/tables.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

static const char schema[] =
    "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE fleet (id INTEGER PRIMARY KEY, name TEXT NOT NULL, scheduler TEXT NOT NULL);"
    "CREATE TABLE metric (fleet INTEGER NOT NULL REFERENCES fleet, id TEXT NOT NULL, value REAL, low REAL, high REAL,"
    " unit TEXT NOT NULL, PRIMARY KEY (fleet, id)) WITHOUT ROWID;"
    "CREATE TABLE job (fleet INTEGER NOT NULL REFERENCES fleet, replication INTEGER NOT NULL, id TEXT NOT NULL,"
    " name TEXT, tenant TEXT, class TEXT, submit_s REAL NOT NULL, start_s REAL, end_s REAL, gpus INTEGER NOT NULL,"
    " pool TEXT, nodes TEXT, state TEXT NOT NULL, wait_s REAL, run_s REAL, preemptions INTEGER, restarts INTEGER,"
    " migrations INTEGER, lost_gpu_s REAL);"
    "CREATE TABLE node (fleet INTEGER NOT NULL REFERENCES fleet, replication INTEGER NOT NULL, pool TEXT NOT NULL,"
    " node TEXT NOT NULL, from_s REAL NOT NULL, ready_s REAL NOT NULL, to_s REAL NOT NULL);"
    "CREATE TABLE series (fleet INTEGER NOT NULL REFERENCES fleet, replication INTEGER NOT NULL, pool TEXT NOT NULL,"
    " hour INTEGER NOT NULL, busy_gpu_s REAL, idle_gpu_s REAL, booting_gpu_s REAL, down_gpu_s REAL,"
    " draining_gpu_s REAL, waiting_gpu_s REAL, stranded_gpu_s REAL, fragments_gpu_s REAL);"
    "CREATE TABLE ledger (fleet INTEGER NOT NULL REFERENCES fleet, replication INTEGER NOT NULL, kind TEXT NOT NULL,"
    " name TEXT NOT NULL, pool TEXT, month INTEGER NOT NULL, micros INTEGER NOT NULL);"
    "CREATE TABLE event (fleet INTEGER NOT NULL REFERENCES fleet, replication INTEGER NOT NULL, at_s REAL NOT NULL,"
    " kind TEXT NOT NULL, pool TEXT NOT NULL, node TEXT NOT NULL);";

/* A row is bound value by value; NAN and -1 times are NULL. */
struct inserter {
	sqlite3 *db;
	sqlite3_stmt *statement;
	int at;
	bool good;
};

static struct inserter inserter_for(sqlite3 *db, const char *table, int columns)
{
	GString *sql = g_string_new(NULL);
	g_string_printf(sql, "INSERT INTO %s VALUES (?", table);
	for (int i = 1; i < columns; i++) g_string_append(sql, ",?");
	g_string_append_c(sql, ')');
	struct inserter in = {.db = db};
	in.good = sqlite3_prepare_v2(db, sql->str, -1, &in.statement, NULL) == SQLITE_OK;
	g_string_free(sql, TRUE);
	return in;
}

static void add_text(struct inserter *in, const char *text)
{
	int at = ++in->at;
	if (text == NULL || text[0] == '\0')
		sqlite3_bind_null(in->statement, at);
	else
		sqlite3_bind_text(in->statement, at, text, -1, SQLITE_TRANSIENT);
}

static void add_int(struct inserter *in, int64_t value)
{
	sqlite3_bind_int64(in->statement, ++in->at, value);
}

static void add_real(struct inserter *in, double value)
{
	if (isfinite(value))
		sqlite3_bind_double(in->statement, ++in->at, value);
	else
		sqlite3_bind_null(in->statement, ++in->at);
}

static void add_time(struct inserter *in, sim_time ns)
{
	add_real(in, ns == -1 ? NAN : (double)ns / (double)RR_NS_PER_S);
}

static void add_gpu_seconds(struct inserter *in, rr_milli_gpu_ns value)
{
	add_real(in, (double)value / 1000 / (double)RR_NS_PER_S);
}

static void end_row(struct inserter *in)
{
	in->good = in->good && sqlite3_step(in->statement) == SQLITE_DONE;
	sqlite3_reset(in->statement);
	in->at = 0;
}

static bool inserter_done(struct inserter *in)
{
	sqlite3_finalize(in->statement);
	return in->good;
}

static bool write_run(sqlite3 *db, const struct study *study)
{
	const struct scenario *s = study->scenario;
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, s->seed);
	g_autofree char *replications = g_strdup_printf("%d", study->replications);
	const char *const rows[][2] = {{"scenario", s->name},       {"question", s->question},
				       {"version", study->version}, {"command", study->command},
				       {"digest", s->digest},       {"seed", seed},
				       {"currency", s->currency},   {"replications", replications}};
	struct inserter in = inserter_for(db, "run", 2);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		add_text(&in, rows[i][0]);
		add_text(&in, rows[i][1]);
		end_row(&in);
	}
	return inserter_done(&in);
}

static bool write_fleets(sqlite3 *db, const struct study *study)
{
	struct inserter fleets = inserter_for(db, "fleet", 3), metrics = inserter_for(db, "metric", 6);
	for (int32_t f = 0; f < study->fleet_count; f++) {
		add_int(&fleets, f);
		add_text(&fleets, study->scenario->fleets[f].name);
		add_text(&fleets, study->scenario->fleets[f].scheduler.text);
		end_row(&fleets);
		for (size_t i = 0; i < study->summary_counts[f]; i++) {
			const struct metric_summary *m = &study->summaries[f][i];
			add_int(&metrics, f);
			add_text(&metrics, m->id);
			add_real(&metrics, m->value);
			add_real(&metrics, m->low);
			add_real(&metrics, m->high);
			add_text(&metrics, m->unit);
			end_row(&metrics);
		}
	}
	bool good = inserter_done(&fleets);
	return inserter_done(&metrics) && good;
}

static const char *pool_name(const struct usage *u, int32_t pool)
{
	return pool < 0 ? NULL : u->scenario->fleets[u->fleet].pools[pool].name;
}

static bool write_jobs(sqlite3 *db, const struct usage *u)
{
	struct inserter in = inserter_for(db, "job", 19);
	GString *nodes = g_string_new(NULL);
	for (size_t i = 0; i < u->jobs->count; i++) {
		const struct job *job = &u->jobs->jobs[i];
		const struct job_record *r = &u->records[i];
		g_string_truncate(nodes, 0);
		tables_append_nodes(nodes, u, r);
		add_int(&in, u->fleet);
		add_int(&in, u->replication);
		add_text(&in, rr_jobs_get_text(u->jobs, job->id));
		add_text(&in, rr_jobs_get_text(u->jobs, job->name));
		add_text(&in, rr_jobs_get_text(u->jobs, job->tenant));
		add_text(&in, rr_jobs_get_text(u->jobs, job->klass));
		add_time(&in, job->submit_ns);
		add_time(&in, r->start_ns);
		add_time(&in, r->end_ns);
		add_int(&in, job->gpus);
		add_text(&in, pool_name(u, r->pool));
		add_text(&in, nodes->str);
		add_text(&in, rr_job_state_text((enum rr_job_state)r->state));
		add_time(&in, r->wait_ns);
		add_time(&in, r->run_ns);
		add_int(&in, r->preemptions);
		add_int(&in, r->restarts);
		add_int(&in, r->migrations);
		add_gpu_seconds(&in, r->lost);
		end_row(&in);
	}
	g_string_free(nodes, TRUE);
	return inserter_done(&in);
}

static void add_event(struct inserter *in, const struct usage *u, const struct node_life *life, sim_time at,
		      const char *kind, const char *node)
{
	add_int(in, u->fleet);
	add_int(in, u->replication);
	add_time(in, at);
	add_text(in, kind);
	add_text(in, pool_name(u, life->pool));
	add_text(in, node);
	end_row(in);
}

static bool write_lives(sqlite3 *db, const struct usage *u)
{
	struct inserter nodes = inserter_for(db, "node", 7), events = inserter_for(db, "event", 6);
	for (size_t i = 0; i < u->life_count; i++) {
		const struct node_life *life = &u->lives[i];
		g_autofree char *name = rr_node_name(u, life->pool, life->node);
		add_int(&nodes, u->fleet);
		add_int(&nodes, u->replication);
		add_text(&nodes, pool_name(u, life->pool));
		add_text(&nodes, name);
		add_time(&nodes, life->from_ns);
		add_time(&nodes, life->ready_ns);
		add_time(&nodes, life->to_ns);
		end_row(&nodes);
		if (life->from_ns > 0) add_event(&events, u, life, life->from_ns, "requested", name);
		if (life->ready_ns > 0) add_event(&events, u, life, life->ready_ns, "ready", name);
		if (life->to_ns < u->end_ns) add_event(&events, u, life, life->to_ns, "given back", name);
	}
	bool good = inserter_done(&nodes);
	return inserter_done(&events) && good;
}

static bool write_series(sqlite3 *db, const struct usage *u)
{
	struct inserter in = inserter_for(db, "series", 12);
	int32_t pools = u->scenario->fleets[u->fleet].pool_count;
	for (int32_t p = 0; p < pools; p++)
		for (size_t h = 0; h < u->hour_count; h++) {
			const struct hour_use *hour = &u->pools[p].hours[h];
			add_int(&in, u->fleet);
			add_int(&in, u->replication);
			add_text(&in, pool_name(u, p));
			add_int(&in, (int64_t)h);
			for (int use = 0; use < RR_USE_COUNT; use++) add_gpu_seconds(&in, hour->use[use]);
			add_gpu_seconds(&in, hour->waiting);
			add_gpu_seconds(&in, hour->stranded);
			add_gpu_seconds(&in, hour->fragments);
			end_row(&in);
		}
	return inserter_done(&in);
}

static void add_lines(struct inserter *in, const struct usage *u, const char *kind, const struct ledger_line *lines,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		add_int(in, u->fleet);
		add_int(in, u->replication);
		add_text(in, kind);
		add_text(in, lines[i].name);
		add_text(in, pool_name(u, lines[i].pool));
		add_int(in, lines[i].month);
		add_int(in, lines[i].micros);
		end_row(in);
	}
}

static bool write_result(sqlite3 *db, const struct result *result)
{
	struct inserter in = inserter_for(db, "ledger", 7);
	add_lines(&in, result->usage, "ledger", result->ledger, result->ledger_count);
	add_lines(&in, result->usage, "outlook", result->outlook, result->outlook_count);
	bool good = inserter_done(&in);
	return good && write_jobs(db, result->usage) && write_lives(db, result->usage) &&
	       write_series(db, result->usage);
}

static bool fill(sqlite3 *db, const struct study *study)
{
	bool good = sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK &&
		    sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK && write_run(db, study) &&
		    write_fleets(db, study);
	for (int32_t i = 0; good && i < study->fleet_count * study->replications; i++)
		good = write_result(db, study->results[i]);
	return good &&
	       sqlite3_exec(db, "CREATE INDEX job_by_id ON job (fleet, replication, id)", NULL, NULL, NULL) ==
		   SQLITE_OK &&
	       sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

bool store_write(const struct study *study, const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "result.db", NULL);
	g_autofree char *temporary = g_strconcat(path, ".part", NULL);
	(void)g_unlink(temporary);
	sqlite3 *db = NULL;
	bool good = sqlite3_open(temporary, &db) == SQLITE_OK && fill(db, study);
	if (!good)
		g_set_error(error, RR_REPORT_ERROR, RR_REPORT_ERROR_WRITE, "cannot write %s: %s", path,
			    sqlite3_errmsg(db));
	good = sqlite3_close(db) == SQLITE_OK && good;
	if (good) return report_rename(temporary, path, error);
	(void)g_unlink(temporary);
	return false;
}
