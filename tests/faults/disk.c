/* A disk that fails: loaded before the C library, it counts what is done to the files of one folder,
 * and lets the step with a given number go wrong. Whatever writes is seen, SQLite and Rust too.
 *
 *   FAULTY_FOLDER  files below it count
 *   fault_arm(n, mode)  the n-th step from now: 1 fails (EIO), 2 finds no room from now on (ENOSPC),
 *                       3 is torn: half is written, and the process is killed
 *   fault_steps()  steps so far
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long steps, target = -1;
static atomic_int mode;

void fault_arm(long n, int m) {
  steps = 0;
  mode = m;
  target = n;
}
long fault_steps(void) { return steps; }

static int below(const char* path) {
  const char* folder = getenv("FAULTY_FOLDER");
  return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_ours(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return below(path);
}

/* 0: go on; 1: fail with errno; 2: tear and die. */
static int step(void) {
  const long n = atomic_fetch_add(&steps, 1);
  if (target < 0 || n < target || (n > target && mode != 2)) return 0;
  errno = mode == 1 ? EIO : ENOSPC;
  return mode == 3 ? 2 : 1;
}

static void die(void) { kill(getpid(), SIGKILL); }

#define REAL(type, name, ...)                         \
  static type (*real)(__VA_ARGS__);                   \
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void* data, size_t size) {
  REAL(ssize_t, "write", int, const void*, size_t);
  const int fate = is_ours(fd) ? step() : 0;
  if (fate == 1) return -1;
  if (fate == 2) {
    real(fd, data, size / 2);
    die();
  }
  return real(fd, data, size);
}

static ssize_t pwrite_(const char* name, int fd, const void* data, size_t size, off_t at) {
  REAL(ssize_t, name, int, const void*, size_t, off_t);
  const int fate = is_ours(fd) ? step() : 0;
  if (fate == 1) return -1;
  if (fate == 2) {
    real(fd, data, size / 2, at);
    die();
  }
  return real(fd, data, size, at);
}
ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
  return pwrite_("pwrite64", fd, data, size, at);
}
ssize_t pwrite64(int fd, const void* data, size_t size, off_t at) {
  return pwrite_("pwrite64", fd, data, size, at);
}

#define ON_FILE(name)                                \
  int name(int fd) {                                 \
    REAL(int, #name, int);                           \
    const int fate = is_ours(fd) ? step() : 0;       \
    if (fate == 2) die();                            \
    return fate == 1 ? -1 : real(fd);                \
  }
ON_FILE(fsync)
ON_FILE(fdatasync)

int ftruncate(int fd, off_t size) {
  REAL(int, "ftruncate64", int, off_t);
  const int fate = is_ours(fd) ? step() : 0;
  if (fate == 2) die();
  return fate == 1 ? -1 : real(fd, size);
}
int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }

ssize_t sendfile64(int out, int in, off_t* at, size_t size) {
  REAL(ssize_t, "sendfile64", int, int, off_t*, size_t);
  const int fate = is_ours(out) ? step() : 0;
  if (fate == 1) return -1;
  if (fate == 2) {
    real(out, in, at, size / 2);
    die();
  }
  return real(out, in, at, size);
}
ssize_t sendfile(int out, int in, off_t* at, size_t size) { return sendfile64(out, in, at, size); }

int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  const int fate = below(to) ? step() : 0;
  if (fate == 2) die();
  return fate == 1 ? -1 : real(from, to);
}
