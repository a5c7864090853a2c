// A large file, listed page by page to its end.
#pragma once
#include "server.h"

// Writes JSON Lines: mails of about 400 bytes, the same ones each time.
void make_items(const char *path, long long size);

// Lists the screen `items` of a server to its end.
void measure_items(char *const words[]);

// Reads the output of `reference pour`.
void measure_pipe(char *const words[]);
