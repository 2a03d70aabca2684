/* test-symbols-debuginfod.c: debug information from a server, here one on this
   machine: names come from it, and waiting for it holds up nobody else.

   The variable that names servers is read when a program starts, so the tests
   run in a program of their own, started by the one that makes the server.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_test.h"
#include "unit_main.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIR_VARIABLE "DG_TEST_DEBUGINFOD_DIR"

/* Serves /buildid/ID/debuginfo from files/ID.  Writes what was asked for to
   `asked`; as long as `wait` is there, answers are not.  */
static const char server_text[] =
  "import http.server, os, sys, time\n"
  "class Handler(http.server.BaseHTTPRequestHandler):\n"
  "    def do_GET(self):\n"
  "        words = self.path.strip('/').split('/')\n"
  "        name = 'files/' + words[1] if len(words) == 3 else ''\n"
  "        with open('asked', 'a') as log:\n"
  "            log.write(self.path + '\\n')\n"
  "        while os.path.exists('wait'):\n"
  "            time.sleep(0.02)\n"
  "        if words[2:] != ['debuginfo'] or not os.path.exists(name):\n"
  "            self.send_error(404)\n"
  "            return\n"
  "        with open(name, 'rb') as file:\n"
  "            data = file.read()\n"
  "        self.send_response(200)\n"
  "        self.send_header('Content-Type', 'application/octet-stream')\n"
  "        self.send_header('Content-Length', str(len(data)))\n"
  "        self.end_headers()\n"
  "        self.wfile.write(data)\n"
  "    def log_message(self, *words):\n"
  "        pass\n"
  "server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)\n"
  "print(server.server_port, flush=True)\n"
  "server.serve_forever()\n";

static const char program_text[] =
  "struct pair { int a, b; } table[4];\n"
  "__attribute__ ((noinline)) static int hidden (int x)\n"
  "{\n"
  "  table[x & 3].b = NUMBER;\n"
  "  return x * NUMBER;\n"
  "}\n"
  "int work (int x) { return hidden (x) + 1; }\n";

/* ---- Programs whose debug information is at the server only ----------- */

static char *
build_id_text (const char *name)
{
  uint8_t id[64];
  size_t n = read_build_id (name, id);
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < n; i++)
    g_string_append_printf (text, "%02x", id[i]);
  return g_string_free (text, FALSE);
}

/* Compiles program number `number`, gives its debug information to the server
   and takes it and the symbols away.  `work` stays, in the dynamic ones.  */
static bool
make_program (const char *name, int number)
{
  char *flags = g_strdup_printf (
    "-O1 -g -shared -fPIC -Wl,--build-id -DNUMBER=%d", number);
  bool made = compile_text ("server.c", program_text, name, flags);
  char *id = made ? build_id_text (name) : NULL;

  if (made)
    g_free (shell ("mkdir -p files;"
                   "objcopy --only-keep-debug %s files/%s; strip %s",
                   name, id, name));
  g_free (id);
  g_free (flags);
  return made;
}

static bool
was_asked (const char *name)
{
  char *path = in_dir ("asked"), *text = NULL, *id = build_id_text (name);
  bool asked = g_file_get_contents (path, &text, NULL, NULL)
               && strstr (text, id) != NULL;

  g_free (text);
  g_free (id);
  g_free (path);
  return asked;
}

/* Where `work` is.  */
static uint64_t
work_of (const char *name)
{
  char *text = shell ("nm -D %s | awk '$3 == \"work\" {print $1}'", name);
  uint64_t address = text != NULL ? g_ascii_strtoull (text, NULL, 16) : 0;

  g_free (text);
  return address;
}

/* ---- Tests ------------------------------------------------------------ */

static void
test_names (void)
{
  struct fixture f;
  struct dg_frame frame;
  const struct dg_type *type;

  if (!make_program ("remote", 11))
    return;
  fixture_init (&f, "remote", 0x10000, true);
  dg_symbols_frames (f.symbols, work_of ("remote") + 0x10000, 10, &frame, 1);
  g_assert_cmpstr (frame.function, ==, "work");
  g_assert_nonnull (frame.file);
  g_assert_true (g_str_has_suffix (frame.file, "server.c"));
  g_assert_cmpuint (frame.line, ==, 7);
  type = dg_symbols_type (f.symbols, "struct pair");
  g_assert_nonnull (type);
  g_assert_cmpuint (dg_type_size (type), ==, 8);
  g_assert_true (was_asked ("remote"));
  g_assert_null (dg_symbols_problem (f.symbols, 0));
  fixture_fini (&f);
}

/* What the server does not have.  */
static void
test_unknown (void)
{
  struct fixture f;
  struct dg_frame frame;

  if (!make_program ("unknown", 12))
    return;
  g_free (shell ("rm files/*"));
  fixture_init (&f, "unknown", 0, true);
  dg_symbols_frames (f.symbols, work_of ("unknown"), 10, &frame, 1);
  g_assert_cmpstr (frame.function, ==, "work");
  g_assert_null (frame.file);
  g_assert_true (was_asked ("unknown"));
  fixture_fini (&f);
}

struct asking {
  struct dg_symbols *symbols;
  uint64_t address;
  struct dg_frame frame;
};

static gpointer
ask (gpointer data)
{
  struct asking *asking = data;

  dg_symbols_frames (asking->symbols, asking->address, 10, &asking->frame, 1);
  return NULL;
}

/* While one thread waits for the server, names of another file come at
   once.  */
static void
test_waiting (void)
{
  struct fixture f;
  struct dg_module modules[2];
  struct asking asking;
  struct dg_frame frame;
  struct dg_variable variable;
  GThread *thread;
  char *local;

  if (!make_program ("slow", 13)
      || !compile_text ("server.c", program_text, "local",
                        "-O1 -g -shared -fPIC -DNUMBER=14"))
    return;
  fixture_init (&f, "slow", 0x10000, true);
  local = in_dir ("local");
  modules[0] = modules[1] = f.module;
  modules[1].file = local;
  modules[1].text_address += 0x10000000;
  modules[1].bias += 0x10000000;
  modules[1].n_build_id = 0;
  f.log.modules = modules;
  f.log.n_modules = 2;
  asking = (struct asking){.symbols = f.symbols,
                           .address = work_of ("slow") + 0x10000};
  g_free (shell ("touch wait"));
  thread = g_thread_new ("ask", ask, &asking);
  while (!was_asked ("slow"))
    g_usleep (10000);
  g_assert_true (dg_symbols_is_busy (f.symbols, asking.address, 10));

  dg_symbols_frames (f.symbols, work_of ("local") + 0x10010000, 10, &frame,
                     1);
  g_assert_cmpstr (frame.function, ==, "work");
  g_assert_cmpuint (frame.line, ==, 7);
  g_assert_true (dg_symbols_data (
    f.symbols, address_of ("local", "table") + 0x10010000 + 12, 10, 4,
    &variable));
  g_assert_cmpstr (variable.field.path, ==, "[1].b");
  g_assert_false (dg_symbols_is_busy (
    f.symbols, work_of ("local") + 0x10010000, 10));
  g_assert_null (dg_symbols_problem (f.symbols, 0));
  g_assert_true (dg_symbols_is_busy (f.symbols, asking.address, 10));

  g_free (shell ("rm wait"));
  g_thread_join (thread);
  g_assert_false (dg_symbols_is_busy (f.symbols, asking.address, 10));
  g_assert_cmpstr (asking.frame.function, ==, "work");
  g_assert_cmpuint (asking.frame.line, ==, 7);
  g_free (local);
  fixture_fini (&f);
}

/* A type that nobody knows is not looked for at servers, but for the program
   itself.  */
static void
test_types_stay_here (void)
{
  struct fixture f;
  struct dg_module modules[2];
  struct dg_process process = {.exe = "mine"};
  char *library;

  if (!make_program ("mine", 15) || !make_program ("theirs", 16))
    return;
  fixture_init (&f, "mine", 0x10000, true);
  library = in_dir ("theirs");
  modules[0] = modules[1] = f.module;
  modules[1].file = library;
  modules[1].text_address += 0x10000000;
  modules[1].bias += 0x10000000;
  modules[1].n_build_id = 0;
  f.log.modules = modules;
  f.log.n_modules = 2;
  f.log.process = &process;
  g_assert_null (dg_symbols_type (f.symbols, "struct nobody"));
  g_assert_true (was_asked ("mine"));
  g_assert_false (was_asked ("theirs"));
  g_free (library);
  fixture_fini (&f);
}

/* Without the variable nobody is asked.  */
static void
test_not_asked (void)
{
  struct fixture f;
  struct dg_frame frame;

  if (!make_program ("quiet", 17))
    return;
  g_unsetenv ("DEBUGINFOD_URLS");
  fixture_init (&f, "quiet", 0, true);
  dg_symbols_frames (f.symbols, work_of ("quiet"), 10, &frame, 1);
  g_assert_cmpstr (frame.function, ==, "work");
  g_assert_null (frame.file);
  g_assert_false (was_asked ("quiet"));
  fixture_fini (&f);
}

/* ---- The server ------------------------------------------------------- */

/* Starts it; its port, 0 if it does not start.  */
static unsigned
start_server (GPid *pid)
{
  char *path = in_dir ("server.py");
  char *argv[] = {(char *) "python3", path, NULL};
  char line[32] = "";
  int out;
  ssize_t n = 0;

  g_file_set_contents (path, server_text, -1, NULL);
  if (g_spawn_async_with_pipes (work_dir, argv, NULL,
                                G_SPAWN_SEARCH_PATH
                                  | G_SPAWN_DO_NOT_REAP_CHILD,
                                NULL, NULL, pid, NULL, &out, NULL, NULL)) {
    /* To the end of the line: it may come in pieces.  */
    for (size_t i = 0; i < sizeof line - 1 && strchr (line, '\n') == NULL
                       && (n = read (out, line + i, 1)) == 1;
         i++)
      ;
    close (out);
  }
  g_free (path);
  return n == 1 ? (unsigned) strtoul (line, NULL, 10) : 0;
}

/* Runs this program again, with the server.  argv begins with its file.  */
static int
run_with_server (char **argv)
{
  unsigned port;
  int status = 0;
  char *urls, *cache;
  GPid server = 0;

  work_dir = g_dir_make_tmp ("test-debuginfod-XXXXXX", NULL);
  g_assert_nonnull (work_dir);
  port = start_server (&server);
  if (port == 0) {
    g_print ("1..0 # SKIP python3 serves no files\n");
  } else {
    urls = g_strdup_printf ("http://127.0.0.1:%u/", port);
    cache = in_dir ("cache");
    g_setenv (DIR_VARIABLE, work_dir, TRUE);
    g_setenv ("DEBUGINFOD_URLS", urls, TRUE);
    g_setenv ("DEBUGINFOD_CACHE_PATH", cache, TRUE);
    g_setenv ("no_proxy", "127.0.0.1", TRUE);
    if (!g_spawn_sync (NULL, argv, NULL,
                       G_SPAWN_CHILD_INHERITS_STDIN
                         | G_SPAWN_FILE_AND_ARGV_ZERO,
                       NULL, NULL, NULL, NULL, &status, NULL))
      status = 1;
    g_free (urls);
    g_free (cache);
  }
  if (server != 0) {
    kill (server, SIGTERM);
    waitpid (server, NULL, 0);
  }
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}

/* Whether elfutils asks servers at all: some are built without.  */
static bool
has_debuginfod (void)
{
  struct fixture f;
  struct dg_frame frame;
  bool asked = false;

  if (make_program ("probe", 10)) {
    fixture_init (&f, "probe", 0, true);
    dg_symbols_frames (f.symbols, work_of ("probe"), 10, &frame, 1);
    asked = was_asked ("probe");
    fixture_fini (&f);
  }
  return asked;
}

static int
run_tests (int argc, char **argv)
{
  int result;

  if (g_getenv (DIR_VARIABLE) == NULL) {
    char **again = g_new0 (char *, (size_t) argc + 2);

    again[0] = g_file_read_link ("/proc/self/exe", NULL);
    memcpy (again + 1, argv, (size_t) argc * sizeof *argv);
    result = run_with_server (again);
    g_free (again[0]);
    g_free (again);
    return result;
  }
  g_test_init (&argc, &argv, NULL);
  work_dir = g_strdup (g_getenv (DIR_VARIABLE));
  if (!has_debuginfod ()) {
    g_print ("1..0 # SKIP no compiler, or elfutils asks no servers\n");
    return 0;
  }
  g_test_add_func ("/debuginfod/names", test_names);
  g_test_add_func ("/debuginfod/unknown", test_unknown);
  g_test_add_func ("/debuginfod/waiting", test_waiting);
  g_test_add_func ("/debuginfod/types-stay-here", test_types_stay_here);
  g_test_add_func ("/debuginfod/z-not-asked", test_not_asked);
  result = g_test_run ();
  g_free (work_dir);
  return result;
}

UNIT_MAIN (run_tests)
