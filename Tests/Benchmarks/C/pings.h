// Small requests: single ones, and as many as the pipe takes.
#pragma once
#include "server.h"

// Each takes the words of a command line, ending with NULL.
void measure_round_trips(char *const reference[], char *const polling[], char *const server[]);
void measure_start(char *const reference[], char *const server[]);
void measure_throughput(char *const each[], char *const gathering[], char *const server[]);
void measure_memory(char *const words[], const char *prefix);
