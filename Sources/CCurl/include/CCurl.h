// The part of libcurl that nagare-http uses. It is loaded when it is first needed, so the package builds without libcurl's
// development files, and a program without libcurl starts and can report that.
//
// C and not Swift, because `curl_easy_setopt` and its kin take variable arguments, which Swift can't pass to a function
// that it has only a pointer to. Everything is for one thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Many transfers that run side by side (a `CURLM`).
typedef struct CurlClient CurlClient;
/// One request and its answer (a `CURL`).
typedef struct CurlTransfer CurlTransfer;

/// What becomes of a part of an answer.
typedef enum __attribute__((enum_extensibility(closed))) {
  CurlVerdictTaken,
  /// Nothing of it is taken. The part comes again after `curl_transfer_resume`, and until then the transfer reads nothing.
  CurlVerdictPaused,
  /// The transfer fails.
  CurlVerdictRefused,
} CurlVerdict;

/// What a client calls. None of them may call a function of this header, except `curl_transfer_resume`.
typedef struct {
  /// Watches a socket for reading, for writing or for both; if for neither, not any more.
  void (*watch)(void *owner, int socket, bool reading, bool writing);
  /// Has `curl_client_time_passed` called after so many milliseconds, in place of the time before; if negative, not any
  /// more.
  void (*set_timer)(void *owner, long milliseconds);
  /// Takes a line of the head of an answer, with its line end, or a trailer.
  CurlVerdict (*take_head)(void *transfer_owner, const uint8_t *bytes, size_t count);
  /// Takes a part of the body, unpacked.
  CurlVerdict (*take_body)(void *transfer_owner, const uint8_t *bytes, size_t count);
} CurlCallbacks;

/// Loads libcurl, unless it is loaded. Returns NULL, or why it can't be.
const char *_Nullable curl_client_load(void);
/// Makes a client. libcurl must be loaded. Returns NULL if there is no memory left.
CurlClient *_Nullable curl_client_make(void *owner, CurlCallbacks callbacks);
/// Goes on with what a socket is ready for.
void curl_client_socket_ready(CurlClient *client, int socket, bool reading, bool writing, bool failed);
/// Goes on with what the timer was set for.
void curl_client_time_passed(CurlClient *client);
/// Finds a transfer that has come to its end, each once: gives its owner, libcurl's number for the failure (0 is none) and
/// the reason. Returns false if there is none.
bool curl_client_next_end(CurlClient *client, void *_Nullable *_Nonnull owner, int *code, const char *_Nullable *_Nonnull reason);
/// Begins a transfer. The texts are copied; the headers are lines such as `Accept: text/html`. Returns NULL if libcurl
/// refuses.
CurlTransfer *_Nullable curl_transfer_begin(
    CurlClient *client, const char *url, const char *_Nullable const *_Nonnull headers, size_t header_count, void *owner);
/// Goes on with a transfer that has paused.
void curl_transfer_resume(CurlTransfer *transfer);
/// Ends a transfer, at whatever point it is, and frees it. Its connection is closed unless the answer was complete.
void curl_transfer_end(CurlClient *client, CurlTransfer *transfer);

#pragma clang assume_nonnull end
