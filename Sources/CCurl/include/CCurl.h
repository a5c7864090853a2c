// The part of libcurl that nagare-http uses. It is loaded when it is first needed. So the package builds without
// libcurl's development files, and a program without libcurl starts and can report that.
//
// This is C, not Swift, because `curl_easy_setopt` and similar functions take variable arguments. Swift can't pass
// these to a function through a pointer. All functions must be called on one thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Transfers that run in parallel (a `CURLM`).
typedef struct CurlClient CurlClient;
/// One request and its answer (a `CURL`).
typedef struct CurlTransfer CurlTransfer;

/// The receiver's decision on a part of an answer.
typedef enum __attribute__((enum_extensibility(closed))) {
  CurlVerdictTaken,
  /// The part isn't accepted now. The transfer reads nothing until `curl_transfer_resume`; then the part is passed
  /// again.
  CurlVerdictPaused,
  /// The transfer fails.
  CurlVerdictRefused,
} CurlVerdict;

/// The functions that a client calls. They may not call functions of this header, except for `curl_transfer_resume`.
typedef struct {
  /// Watches a socket for reading, for writing or for both. If both are false, stops watching it.
  void (*watch)(void *owner, int socket, bool reading, bool writing);
  /// Replaces the timer: `curl_client_time_passed` must be called after this time. If it is negative, stops the timer.
  void (*set_timer)(void *owner, long milliseconds);
  /// Receives a line of an answer's head, with its line end, or a trailer.
  CurlVerdict (*take_head)(void *transfer_owner, const uint8_t *bytes, size_t count);
  /// Receives a part of the body, after decompression.
  CurlVerdict (*take_body)(void *transfer_owner, const uint8_t *bytes, size_t count);
} CurlCallbacks;

/// Loads libcurl, unless it is loaded. Returns NULL, or the reason why it can't be loaded.
const char *_Nullable curl_client_load(void);
/// Creates a client. libcurl must be loaded. Returns NULL if there isn't enough memory.
CurlClient *_Nullable curl_client_make(void *owner, CurlCallbacks callbacks);
/// Continues transfers when a socket is ready.
void curl_client_socket_ready(CurlClient *client, int socket, bool reading, bool writing, bool failed);
/// Continues transfers when the timer has fired.
void curl_client_time_passed(CurlClient *client);
/// Reports the next finished transfer; each is reported once. Sets its owner, libcurl's number for the failure (0 for
/// success), and the reason. Returns false if no other transfer has finished.
bool curl_client_next_end(CurlClient *client, void *_Nullable *_Nonnull owner, int *code, const char *_Nullable *_Nonnull reason);
/// Begins a transfer. The texts are copied. The headers are lines such as `Accept: text/html`. Returns NULL if libcurl
/// refuses the request.
CurlTransfer *_Nullable curl_transfer_begin(
    CurlClient *client, const char *url, const char *_Nullable const *_Nonnull headers, size_t header_count, void *owner);
/// Continues a paused transfer.
void curl_transfer_resume(CurlTransfer *transfer);
/// Ends a transfer in any state, and frees it. Its connection is closed unless the answer was complete.
void curl_transfer_end(CurlClient *client, CurlTransfer *transfer);

#pragma clang assume_nonnull end
