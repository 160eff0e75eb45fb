/* SPDX-License-Identifier: MIT
   Preloaded into a run: lets the k-th system call on a file in one folder fail, or write only a
   part, and says which one that was. APSIS_FAIL_UNDER: the folder; APSIS_FAIL_AT: k, from 1;
   APSIS_FAIL_WITH: errno, or 0 for a write of half of its bytes. What fails is told in the file
   APSIS_FAIL_LOG, which is outside of the folder. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
enum { most = 4096 };
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static char watched[most]; /* descriptors of files in the folder */
static long calls = 0;

static int is_under(const char* path) {
  const char* folder = getenv("APSIS_FAIL_UNDER");
  if (folder == NULL || path == NULL) return 0;
  char whole[2 * PATH_MAX];
  if (path[0] == '/') {
    snprintf(whole, sizeof whole, "%s", path);
  } else {
    char here[PATH_MAX];
    if (getcwd(here, sizeof here) == NULL) return 0;
    snprintf(whole, sizeof whole, "%s/%s", here, path);
  }
  return strncmp(whole, folder, strlen(folder)) == 0;
}

/* Whether this call is the one; then errno is set. */
static int fails(const char* what, const char* path) {
  const char *at = getenv("APSIS_FAIL_AT"), *with = getenv("APSIS_FAIL_WITH");
  if (at == NULL || with == NULL) return 0;
  pthread_mutex_lock(&one_at_a_time);
  const int now = ++calls == atol(at);
  pthread_mutex_unlock(&one_at_a_time);
  if (!now) return 0;
  FILE* log = fopen(getenv("APSIS_FAIL_LOG"), "w");
  if (log != NULL) {
    fprintf(log, "%s %s\n", what, path);
    fclose(log);
  }
  errno = atoi(with);
  return 1;
}

static int is_watched(int file) { return file >= 0 && file < most && watched[file]; }

static int opened(int file, const char* path) {
  if (file >= 0 && file < most) watched[file] = (char)is_under(path);
  return file;
}

static const char* name_of(int file) {
  static __thread char name[PATH_MAX];
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, name, sizeof name - 1);
  name[length > 0 ? length : 0] = '\0';
  return name;
}

static mode_t mode_in(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                       \
  int name(const char* path, int flags, ...) {           \
    va_list arguments;                                   \
    va_start(arguments, flags);                          \
    const mode_t mode = mode_in(flags, arguments);       \
    va_end(arguments);                                   \
    if (is_under(path) && fails(#name, path)) return -1; \
    return opened(REAL(name)(path, flags, mode), path);  \
  }
OPEN(open)
OPEN(open64)

/* Names relative to a folder's descriptor are in it where that is watched. */
#define OPENAT(name)                                                                               \
  int name(int folder, const char* path, int flags, ...) {                                         \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    const mode_t mode = mode_in(flags, arguments);                                                 \
    va_end(arguments);                                                                             \
    const int inside = folder == AT_FDCWD || path[0] == '/' ? is_under(path) : is_watched(folder); \
    if (inside && fails(#name, path)) return -1;                                                   \
    const int file = REAL(name)(folder, path, flags, mode);                                        \
    if (file >= 0 && file < most) watched[file] = (char)inside;                                    \
    return file;                                                                                   \
  }
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int file, const void* bytes, size_t count) {
  if (is_watched(file) && fails("write", name_of(file))) {
    if (errno != 0) return -1;
    return REAL(write)(file, bytes, count > 1 ? count / 2 : count);
  }
  return REAL(write)(file, bytes, count);
}
ssize_t read(int file, void* bytes, size_t count) {
  if (is_watched(file) && fails("read", name_of(file))) {
    if (errno != 0) return -1;
    return REAL(read)(file, bytes, count > 1 ? count / 2 : count);
  }
  return REAL(read)(file, bytes, count);
}

#define ON_FILE(name)                                                             \
  int name(int file) {                                                            \
    if (is_watched(file) && fails(#name, name_of(file)) && errno != 0) return -1; \
    return REAL(name)(file);                                                      \
  }
ON_FILE(fsync)
ON_FILE(fdatasync)

int close(int file) {
  const int inside = is_watched(file), failing = inside && fails("close", name_of(file));
  const int code = errno;
  if (inside) watched[file] = 0;
  const int status = REAL(close)(file);
  if (!failing || code == 0) return status;
  errno = code; /* Linux frees the number all the same */
  return -1;
}

int ftruncate(int file, off_t length) {
  if (is_watched(file) && fails("ftruncate", name_of(file)) && errno != 0) return -1;
  return REAL(ftruncate)(file, length);
}
int ftruncate64(int file, off64_t length) {
  if (is_watched(file) && fails("ftruncate64", name_of(file)) && errno != 0) return -1;
  return REAL(ftruncate64)(file, length);
}
int rename(const char* from, const char* to) {
  if (is_under(to) && fails("rename", to) && errno != 0) return -1;
  return REAL(rename)(from, to);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  const int inside = to[0] == '/' || to_folder == AT_FDCWD ? is_under(to) : is_watched(to_folder);
  if (inside && fails("renameat", to) && errno != 0) return -1;
  return REAL(renameat)(from_folder, from, to_folder, to);
}
int unlink(const char* path) {
  if (is_under(path) && fails("unlink", path) && errno != 0) return -1;
  return REAL(unlink)(path);
}
int unlinkat(int folder, const char* path, int flags) {
  const int inside = path[0] == '/' || folder == AT_FDCWD ? is_under(path) : is_watched(folder);
  if (inside && fails("unlinkat", path) && errno != 0) return -1;
  return REAL(unlinkat)(folder, path, flags);
}
int mkdir(const char* path, mode_t mode) {
  if (is_under(path) && fails("mkdir", path) && errno != 0) return -1;
  return REAL(mkdir)(path, mode);
}
