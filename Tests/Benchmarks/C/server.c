#define _GNU_SOURCE
#include "server.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void fail(const char *what) {
  perror(what);
  exit(1);
}

static int processor(int wanted) {
  static cpu_set_t allowed;
  static int is_known = 0;
  if (!is_known && sched_getaffinity(0, sizeof allowed, &allowed) != 0) fail("sched_getaffinity");
  is_known = 1;
  int found = 0;
  for (int number = 0; number < CPU_SETSIZE; number++) {
    if (!CPU_ISSET(number, &allowed)) continue;
    found = number;
    if (wanted-- == 0) break;
  }
  return found;
}

int first_processor(void) { return processor(0); }
int second_processor(void) { return processor(1); }

void pin(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) fail("sched_setaffinity");
}

struct server start(char *const words[], int processor) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) fail("pipe2");
  pid_t process = fork();
  if (process < 0) fail("fork");
  if (process == 0) {
    if (processor >= 0) pin(processor);
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execv(words[0], words);
    perror(words[0]);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  return (struct server){process, to[1], from[0]};
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec * 1e-6; }

double stop(struct server server) {
  close(server.input);
  close(server.output);
  struct rusage usage;
  if (wait4(server.process, NULL, 0, &usage) < 0) fail("wait4");
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double end(struct server server) {
  kill(server.process, SIGKILL);
  return stop(server);
}

void send_bytes(struct server server, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(server.input, bytes, count);
    if (written < 0) fail("write to the server");
    bytes += written;
    count -= (size_t)written;
  }
}

size_t receive_bytes(struct server server, char *bytes, size_t capacity) {
  ssize_t count = read(server.output, bytes, capacity);
  if (count < 0) fail("read from the server");
  if (count == 0) {
    fprintf(stderr, "the server has ended\n");
    exit(1);
  }
  return (size_t)count;
}

double memory(struct server server, const char *wanted) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/status", (int)server.process);
  FILE *file = fopen(path, "r");
  if (file == NULL) fail(path);
  double bytes = -1;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, wanted, strlen(wanted)) == 0) bytes = atof(line + strlen(wanted) + 1) * 1024;
  }
  fclose(file);
  return bytes;
}

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

double median(double *numbers, size_t count) {
  qsort(numbers, count, sizeof *numbers, compare);
  return count % 2 == 1 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}

void say(const char *name, double number) {
  printf("%s\t%.9g\n", name, number);
  fflush(stdout);
}
