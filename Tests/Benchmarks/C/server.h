// A server under measurement: a child process between two pipes.
#pragma once
#include <stddef.h>
#include <sys/types.h>

struct server {
  pid_t process;
  int input;   // what is written here the server reads
  int output;  // what the server writes is read here
};

// The processors that may be used: the client's is the first. Where there is just one it is both.
int first_processor(void);
int second_processor(void);

// Keeps this process on a processor.
void pin(int processor);

// Starts a program on a processor; a negative one leaves the choice to the system.
struct server start(char *const words[], int processor);

// Ends the server's input, waits until it is gone, and gives the seconds of processor time that it took.
double stop(struct server server);

// Ends the server at once, and gives the same.
double end(struct server server);

// Writes and reads, or ends this program with a message.
void send_bytes(struct server server, const char *bytes, size_t count);
size_t receive_bytes(struct server server, char *bytes, size_t capacity);

// A line of a process's /proc/…/status, such as VmRSS, in bytes.
double memory(struct server server, const char *line);

// Seconds of a clock that only goes forward.
double now(void);

// The middle one; sorts the numbers.
double median(double *numbers, size_t count);

// Says a measurement: a name, a tab, a number.
void say(const char *name, double number);

void fail(const char *what);
