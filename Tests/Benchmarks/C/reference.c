// The minimum cost of a server: its system calls without any JSON.
//
//     reference line         reads, and writes each line back separately
//     reference poll         like line, but waits by poll before it reads, like a server with timers
//     reference gather       reads, and writes everything back by one write
//     reference pour BYTES   writes this many bytes, 32 kB at a time, as fast as they are accepted
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[64 * 1024];

static void write_all(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(STDOUT_FILENO, bytes, count);
    if (written <= 0) exit(1);
    bytes += written;
    count -= (size_t)written;
  }
}

static ssize_t receive(size_t held, int polls) {
  struct pollfd input = {STDIN_FILENO, POLLIN, 0};
  if (polls && poll(&input, 1, -1) < 0) exit(1);
  return read(STDIN_FILENO, buffer + held, sizeof buffer - held);
}

static void answer_each_line(int polls) {
  size_t held = 0;
  ssize_t count;
  while ((count = receive(held, polls)) > 0) {
    char *line = buffer, *end = buffer + held + count, *feed;
    while ((feed = memchr(line, '\n', (size_t)(end - line))) != NULL) {
      write_all(line, (size_t)(feed + 1 - line));
      line = feed + 1;
    }
    held = (size_t)(end - line);
    memmove(buffer, line, held);
  }
}

static void answer_gathering(void) {
  ssize_t count;
  while ((count = read(STDIN_FILENO, buffer, sizeof buffer)) > 0) write_all(buffer, (size_t)count);
}

static void pour(long long bytes) {
  memset(buffer, 'x', sizeof buffer);
  for (; bytes > 0; bytes -= 32 * 1024) write_all(buffer, 32 * 1024);
}

int main(int count, char **words) {
  const char *mode = count > 1 ? words[1] : "line";
  if (strcmp(mode, "line") == 0 || strcmp(mode, "poll") == 0) {
    answer_each_line(strcmp(mode, "poll") == 0);
  } else if (strcmp(mode, "gather") == 0) {
    answer_gathering();
  } else if (strcmp(mode, "pour") == 0 && count > 2) {
    pour(atoll(words[2]));
  } else {
    fprintf(stderr, "usage: reference line | poll | gather | pour BYTES\n");
    return 64;
  }
  return 0;
}
