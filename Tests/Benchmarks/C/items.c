// A large file, listed page by page to its end.
#define _GNU_SOURCE
#include "items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char chunk[256 * 1024];

static unsigned random_below(unsigned bound) {
  static unsigned long long state = 20261121;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)((state >> 33) % bound);
}

void make_items(const char *path, long long size) {
  static const char *const words[] = {
    "water", "meeting", "quarter", "invoice", "running", "garden", "late",  "station", "über",  "café",
    "nagare", "stream", "letter",  "please",  "window",  "rather", "price", "evening", "流れ", "tomorrow"};
  FILE *file = fopen(path, "w");
  if (file == NULL) fail(path);
  long long written = 0;
  for (int number = 0; written < size; number++) {
    char body[512];
    int length = 0;
    while (length < 230) length += sprintf(body + length, "%s ", words[random_below(sizeof words / sizeof *words)]);
    written += fprintf(
      file,
      "{\"id\":\"m%d\",\"from\":{\"name\":\"%s %s\",\"address\":\"%s%u@example.com\"},\"subject\":\"%s: \\\"%s\\\"\","
      "\"date\":\"2026-%02u-%02uT08:15:00Z\",\"unread\":%s,\"size\":%u,\"body\":\"%s\\n\"}\n",
      number, words[random_below(20)], words[random_below(20)], words[random_below(8)], random_below(1000),
      words[random_below(20)], words[random_below(20)], 1 + random_below(12), 1 + random_below(28),
      random_below(2) ? "true" : "false", random_below(100000), body);
  }
  if (fclose(file) != 0) fail(path);
}

static void send_line(struct server server, const char *line) { send_bytes(server, line, strlen(line)); }

// Separates the received lines, and recognizes them by their beginnings.
struct lines {
  char head[192];
  size_t head_length;
  double length;
};

enum sort { other, items, bottom, failure };

static enum sort sort_of(const struct lines *line) {
  const char *head = line->head;
  if (strstr(head, "\"method\":\"items\"") != NULL) return items;
  if (strstr(head, "\"reachedBottom\"") != NULL) return bottom;
  if (strstr(head, "\"method\":\"error\"") != NULL || strstr(head, "\"error\":{\"code\"") != NULL) return failure;
  return other;
}

static void take(struct lines *line, const char *bytes, size_t count) {
  size_t room = sizeof line->head - 1 - line->head_length;
  size_t taken = count < room ? count : room;
  memcpy(line->head + line->head_length, bytes, taken);
  line->head_length += taken;
  line->head[line->head_length] = 0;
  line->length += (double)count;
}

// Requests another page whenever one has arrived. Returns the number of bytes in the pages.
static double read_to_bottom(struct server server, double *pages) {
  struct lines line = {{0}, 0, 0};
  double bytes = 0;
  while (1) {
    size_t count = receive_bytes(server, chunk, sizeof chunk);
    char *rest = chunk, *end = chunk + count, *feed;
    while ((feed = memchr(rest, '\n', (size_t)(end - rest))) != NULL) {
      take(&line, rest, (size_t)(feed - rest));
      rest = feed + 1;
      enum sort sort = sort_of(&line);
      if (sort == bottom) return bytes;
      if (sort == failure) {
        fprintf(stderr, "%s\n", line.head);
        exit(1);
      }
      if (sort == items) {
        bytes += line.length;
        *pages += 1;
        send_line(server, "{\"jsonrpc\":\"2.0\",\"method\":\"loadMore\"}\n");
      }
      line = (struct lines){{0}, 0, 0};
    }
    take(&line, rest, (size_t)(end - rest));
  }
}

void measure_items(char *const words[]) {
  pin(first_processor());
  struct server server = start(words, second_processor());
  send_line(
    server,
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"1\","
    "\"capabilities\":{\"deltas\":true}}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"open\",\"params\":{\"screen\":\"items\"}}\n"
    "{\"jsonrpc\":\"2.0\",\"method\":\"viewWillAppear\"}\n");
  double pages = 0, begin = now();
  double bytes = read_to_bottom(server, &pages);
  double seconds = now() - begin;
  say("items.bytes", bytes);
  say("items.pages", pages);
  say("items.mbps", bytes / seconds / 1e6);
  say("items.memory", memory(server, "VmRSS"));
  say("items.cpu.mbps", bytes / end(server) / 1e6);
}

void measure_pipe(char *const words[]) {
  pin(first_processor());
  struct server server = start(words, second_processor());
  double bytes = 0, begin = now(), wanted = atof(words[2]);
  while (bytes < wanted) bytes += (double)receive_bytes(server, chunk, sizeof chunk);
  say("pipe.mbps", bytes / (now() - begin) / 1e6);
  stop(server);
}
