// Benchmark client at the other end of the pipes: drives servers, and prints one measurement per line, as name, tab and
// number.
//
//     client pings REFERENCE SERVER    round trips on one processor, against the reference, polling and not
//     client start REFERENCE SERVER    time from spawning to the first reply
//     client rate REFERENCE SERVER     pipelined requests, client and server each on a processor
//     client memory REFERENCE SERVER   resident memory
//     client make-items FILE BYTES     writes a file of items
//     client items SERVER CONFIG       lists the screen `items` of a configuration to its end
//     client pipe REFERENCE BYTES      the throughput of the pipe itself
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "items.h"
#include "pings.h"

int main(int count, char **words) {
  if (count != 4) {
    fprintf(stderr, "usage: client pings|start|rate|memory|make-items|items|pipe A B\n");
    return 64;
  }
  const char *what = words[1];
  char *each[] = {words[2], "line", NULL}, *polling[] = {words[2], "poll", NULL}, *gathering[] = {words[2], "gather", NULL}, *server[] = {words[3], NULL};
  if (strcmp(what, "pings") == 0) {
    measure_round_trips(each, polling, server);
  } else if (strcmp(what, "start") == 0) {
    measure_start(each, server);
  } else if (strcmp(what, "rate") == 0) {
    measure_throughput(each, gathering, server);
  } else if (strcmp(what, "memory") == 0) {
    measure_memory(each, "memory.reference");
    measure_memory(server, "memory");
  } else if (strcmp(what, "make-items") == 0) {
    make_items(words[2], atoll(words[3]));
  } else if (strcmp(what, "items") == 0) {
    char *configured[] = {words[2], "--config", words[3], NULL};
    measure_items(configured);
  } else if (strcmp(what, "pipe") == 0) {
    char *pouring[] = {words[2], "pour", words[3], NULL};
    measure_pipe(pouring);
  } else {
    fprintf(stderr, "unknown measurement %s\n", what);
    return 64;
  }
  return 0;
}
