// Small requests: single ones, and as many as the pipe takes.
#include "pings.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
static char replies[256 * 1024];

static void ask(struct server server) {
  send_bytes(server, ping, sizeof ping - 1);
  size_t count = 0;
  do {
    count += receive_bytes(server, replies + count, sizeof replies - count);
  } while (replies[count - 1] != '\n');
}

static double microseconds_a_round_trip(struct server server, int trips) {
  double start = now();
  for (int trip = 0; trip < trips; trip++) ask(server);
  return (now() - start) / trips * 1e6;
}

// The programs take turns, so that other load on the machine affects all of them.
void measure_round_trips(char *const reference[], char *const polling[], char *const server[]) {
  enum { batches = 200, trips = 500, programs = 3 };
  static double measured[programs][batches], ratios[programs][batches];
  char *const *const words[programs] = {reference, polling, server};
  int processor = first_processor();
  pin(processor);
  struct server servers[programs];
  for (int index = 0; index < programs; index++) {
    servers[index] = start(words[index], processor);
    microseconds_a_round_trip(servers[index], 2000);
  }
  for (int batch = 0; batch < batches; batch++) {
    for (int index = 0; index < programs; index++)
      measured[index][batch] = microseconds_a_round_trip(servers[index], trips);
    for (int index = 0; index < programs; index++)
      ratios[index][batch] = measured[programs - 1][batch] / measured[index][batch];
  }
  for (int index = 0; index < programs; index++) stop(servers[index]);
  say("ping.reference.us", median(measured[0], batches));
  say("ping.polling.us", median(measured[1], batches));
  say("ping.us", median(measured[2], batches));
  say("ping.ratio", median(ratios[0], batches));
  say("ping.polling.ratio", median(ratios[1], batches));
}

void measure_start(char *const reference[], char *const server[]) {
  enum { starts = 75 };
  static double fast[starts], measured[starts];
  for (int index = 0; index < starts; index++) {
    for (int isMine = 0; isMine <= 1; isMine++) {
      double begin = now();
      struct server started = start(isMine ? server : reference, -1);
      ask(started);
      (isMine ? measured : fast)[index] = (now() - begin) * 1e3;
      stop(started);
    }
  }
  say("start.reference.ms", median(fast, starts));
  say("start.ms", median(measured, starts));
}

// Many pings, each with its own id.
struct requests {
  char *bytes;
  size_t count;
};

static struct requests make_requests(int number, int isLSP) {
  struct requests requests = {malloc((size_t)number * 100), 0};
  if (requests.bytes == NULL) fail("malloc");
  for (int id = 0; id < number; id++) {
    char message[80];
    int length = snprintf(message, sizeof message, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}", id);
    requests.count += (size_t)sprintf(
      requests.bytes + requests.count, isLSP ? "Content-Length: %2$d\r\n\r\n%1$s" : "%1$s\n", message, length);
  }
  return requests;
}

static size_t feeds(const char *bytes, size_t count) {
  size_t found = 0;
  for (size_t index = 0; index < count; index++) found += bytes[index] == '\n';
  return found;
}

// Writes whenever the pipe accepts bytes, and reads whenever it has some, until everything is answered.
static double seconds_for(struct server server, struct requests requests, int times, size_t expected_feeds) {
  fcntl(server.input, F_SETFL, O_NONBLOCK);
  size_t sent = 0, seen = 0;
  double begin = now();
  while (seen < expected_feeds) {
    struct pollfd polled[2] = {{server.output, POLLIN, 0}, {times > 0 ? server.input : -1, POLLOUT, 0}};
    if (poll(polled, 2, 10000) <= 0) fail("the server doesn't answer: poll");
    if (polled[1].revents & POLLOUT) {
      ssize_t written = write(server.input, requests.bytes + sent, requests.count - sent);
      if (written > 0) sent += (size_t)written;
      if (sent == requests.count) {
        sent = 0;
        times--;
      }
    }
    if (polled[0].revents) seen += feeds(replies, receive_bytes(server, replies, sizeof replies));
  }
  return now() - begin;
}

// Prints the median of several runs: requests per second, and the server's processor time for each request.
static void measure_rate(const char *name, char *const words[], int isLSP) {
  enum { number = 10000, times = 200, runs = 3 };
  struct requests requests = make_requests(number, isLSP);
  double rates[runs], costs[runs], total = (double)number * times;
  pin(first_processor());
  for (int run = 0; run < runs; run++) {
    struct server server = start(words, second_processor());
    rates[run] = total / seconds_for(server, requests, times, (size_t)total * (isLSP ? 2 : 1));
    costs[run] = stop(server) / total * 1e9;
  }
  free(requests.bytes);
  char cost[80];
  snprintf(cost, sizeof cost, "%s.cpu.ns", name);
  say(name, median(rates, runs));
  say(cost, median(costs, runs));
}

void measure_throughput(char *const each[], char *const gathering[], char *const server[]) {
  measure_rate("pipelined.reference.each", each, 0);
  measure_rate("pipelined.reference.gathering", gathering, 0);
  measure_rate("pipelined.lines", server, 0);
  measure_rate("pipelined.lsp", server, 1);
}

void measure_memory(char *const words[], const char *prefix) {
  char name[64];
  struct server server = start(words, -1);
  ask(server);
  snprintf(name, sizeof name, "%s.idle", prefix);
  say(name, memory(server, "VmRSS"));
  struct requests requests = make_requests(10000, 0);
  seconds_for(server, requests, 20, 200000);
  snprintf(name, sizeof name, "%s.after", prefix);
  say(name, memory(server, "VmRSS"));
  snprintf(name, sizeof name, "%s.peak", prefix);
  say(name, memory(server, "VmHWM"));
  free(requests.bytes);
  stop(server);
}
