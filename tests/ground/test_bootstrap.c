/* The bootstrap on machines that are not this one: folders of stand-ins for PATH. */
#include "tests/support/test.h"

#include <string.h>
#include <sys/stat.h>

/* A program in FOLDER that runs BODY. */
static void stand_in(const char *folder, const char *name, const char *body)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *text = g_strdup_printf("#!/bin/sh\n%s\n", body);
	ck_assert(g_file_set_contents(path, text, -1, NULL));
	ck_assert_int_eq(chmod(path, 0755), 0);
}

/* The true program NAME under the same name in FOLDER. */
static void borrow(const char *folder, const char *name)
{
	g_autofree char *real = g_find_program_in_path(name);
	ck_assert_msg(real != NULL, "%s is not there", name);
	g_autofree char *body = g_strdup_printf("exec %s \"$@\"", real);
	stand_in(folder, name, body);
}

static int bootstrap(const char *folder, char **said)
{
	g_autofree char *command = g_strdup_printf("PATH=%s LOG=%s/log /bin/sh tools/bootstrap.sh", folder, folder);
	return rr_test_shell(command, said);
}

static void expect_line(const char *manager, const char *part)
{
	char *folder = rr_test_folder();
	if (manager != NULL) stand_in(folder, manager, "exit 9");
	g_autofree char *said = NULL;
	int status = bootstrap(folder, &said);
	ck_assert_msg(status == 1 && strstr(said, part) != NULL, "exit %d, expected 1 and '%s':\n%s", status, part,
		      said);
	rr_test_remove(folder);
}

START_TEST(other_systems_are_told_the_line_to_type)
{
	expect_line("dnf", "sudo dnf install gcc make");
	expect_line("pacman", "sudo pacman -S --needed gcc make");
	expect_line("brew", "brew install gcc make");
	expect_line(NULL, "by your system's package manager");
}
END_TEST

/* A Debian with nothing but its shell tools; apt-get notes what it was asked. */
static char *bare_debian(const char *user, const char *apt_status)
{
	char *folder = rr_test_folder();
	static const char *const there[] = {"env", "tail", "mktemp", "rm"};
	for (size_t i = 0; i < G_N_ELEMENTS(there); i++) borrow(folder, there[i]);
	g_autofree char *id = g_strdup_printf("echo %s", user);
	stand_in(folder, "id", id);
	g_autofree char *apt =
	    g_strdup_printf("echo \"$DEBIAN_FRONTEND apt-get $*\" >>\"$LOG\"; echo from apt; exit %s", apt_status);
	stand_in(folder, "apt-get", apt);
	return folder;
}

static char *log_of(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "log", NULL);
	char *text = NULL;
	return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

START_TEST(root_on_a_bare_debian_installs_all_by_apt)
{
	char *folder = bare_debian("0", "0");
	g_autofree char *said = NULL;
	int status = bootstrap(folder, &said);
	ck_assert_msg(status == 0, "%s", said);
	g_autofree char *log = log_of(folder);
	ck_assert_msg(strstr(log, "noninteractive apt-get update") != NULL, "%s", log);
	ck_assert_msg(strstr(log, "noninteractive apt-get install -y") != NULL, "%s", log);
	static const char *const packages[] = {" gcc ",        " libc6-dev ",   " pkg-config ",     " libglib2.0-dev ",
					       " libgsl-dev ", " libyaml-dev ", " libsqlite3-dev ", " libarchive-dev ",
					       " libcsv-dev ", " libglpk-dev ", " libjansson-dev ", " check ",
					       " gnuplot-nox"};
	for (size_t i = 0; i < G_N_ELEMENTS(packages); i++)
		ck_assert_msg(strstr(log, packages[i]) != NULL, "%s is not in:\n%s", packages[i], log);
	rr_test_remove(folder);
}
END_TEST

START_TEST(a_user_installs_through_sudo)
{
	char *folder = bare_debian("1000", "0");
	stand_in(folder, "sudo", "echo sudo >>\"$LOG\"; exec \"$@\"");
	g_autofree char *said = NULL;
	ck_assert_int_eq(bootstrap(folder, &said), 0);
	g_autofree char *log = log_of(folder);
	ck_assert_msg(g_str_has_prefix(log, "sudo\n") && strstr(log, "apt-get install") != NULL, "%s", log);
	rr_test_remove(folder);
}
END_TEST

START_TEST(a_user_without_sudo_is_told_the_line_for_root)
{
	char *folder = bare_debian("1000", "0");
	g_autofree char *said = NULL;
	ck_assert_int_eq(bootstrap(folder, &said), 1);
	ck_assert_msg(strstr(said, "As root, run: apt-get install gcc") != NULL, "%s", said);
	g_autofree char *log = log_of(folder);
	ck_assert_str_eq(log, "");
	rr_test_remove(folder);
}
END_TEST

START_TEST(a_failed_install_says_what_apt_said)
{
	char *folder = bare_debian("0", "100");
	g_autofree char *said = NULL;
	ck_assert_int_eq(bootstrap(folder, &said), 1);
	ck_assert_msg(strstr(said, "from apt") != NULL && strstr(said, "could not install: gcc") != NULL, "%s", said);
	rr_test_remove(folder);
}
END_TEST

START_TEST(silent_when_all_is_there)
{
	g_autofree char *said = NULL;
	ck_assert_int_eq(rr_test_shell("tools/bootstrap.sh", &said), 0);
	ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(make_reads_its_file_without_pkg_config)
{
	char *folder = rr_test_folder();
	static const char *const there[] = {"make", "sed", "find", "sh"};
	for (size_t i = 0; i < G_N_ELEMENTS(there); i++) borrow(folder, there[i]);
	g_autofree char *command = g_strdup_printf("env -u MAKEFLAGS -u MAKELEVEL PATH=%s make help", folder);
	g_autofree char *said = NULL;
	ck_assert_msg(rr_test_shell(command, &said) == 0, "%s", said);
	ck_assert_msg(strstr(said, "not found") == NULL && strstr(said, "No such file") == NULL, "%s", said);
	ck_assert_msg(strstr(said, "make verify") != NULL, "%s", said);
	rr_test_remove(folder);
}
END_TEST

START_TEST(the_version_is_told_outside_of_git_too)
{
	char *folder = rr_test_folder();
	g_autofree char *command =
	    g_strdup_printf("script=$PWD/tools/version.sh && cd %s && GIT_CEILING_DIRECTORIES=%s $script 1.2.3 gcc -O3",
			    folder, folder);
	g_autofree char *said = NULL;
	ck_assert_msg(rr_test_shell(command, &said) == 0, "%s", said);
	ck_assert_msg(strstr(said, "#define RR_VERSION \"1.2.3\"") != NULL, "%s", said);
	ck_assert_msg(strstr(said, "#define RR_REVISION \"unknown\"") != NULL, "%s", said);
	ck_assert_msg(strstr(said, "#define RR_FLAGS \"-O3\"") != NULL, "%s", said);
	ck_assert_msg(strstr(said, "#define RR_COMPILER \"gcc") != NULL, "%s", said);
	rr_test_remove(folder);
}
END_TEST

RR_TEST_MAIN("bootstrap", other_systems_are_told_the_line_to_type, root_on_a_bare_debian_installs_all_by_apt,
	     a_user_installs_through_sudo, a_user_without_sudo_is_told_the_line_for_root,
	     a_failed_install_says_what_apt_said, silent_when_all_is_there, make_reads_its_file_without_pkg_config,
	     the_version_is_told_outside_of_git_too)
