// A server under measurement: a child process between two pipes.
#pragma once
#include <stddef.h>
#include <sys/types.h>

struct server {
  pid_t process;
  int input;  // the server reads what is written here
  int output;  // what the server writes can be read here
};

// The processors for the client and for the server. If there is only one, both use it.
int first_processor(void);
int second_processor(void);

// Binds this process to a processor.
void pin(int processor);

// Starts a program on a processor; a negative number leaves the choice to the system.
struct server start(char *const words[], int processor);

// Ends the server's input and waits for the server's end. Returns the seconds of processor time that it used.
double stop(struct server server);

// Kills the server. Returns the same as `stop`.
double end(struct server server);

// Writes and reads. A failure ends this program with a message.
void send_bytes(struct server server, const char *bytes, size_t count);
size_t receive_bytes(struct server server, char *bytes, size_t capacity);

// The value of a line in a process's /proc/…/status, such as VmRSS, in bytes.
double memory(struct server server, const char *line);

// Seconds of a monotonic clock.
double now(void);

// The median. Sorts the numbers.
double median(double *numbers, size_t count);

// Prints a measurement: a name, a tab, a number.
void say(const char *name, double number);

void fail(const char *what);
