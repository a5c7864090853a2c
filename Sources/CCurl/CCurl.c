#include "CCurl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// The declarations of libcurl (curl/curl.h, curl/multi.h). libcurl never changes these numbers.
typedef void CURL;
typedef void CURLM;
typedef int CURLcode;
typedef int CURLMcode;
struct curl_slist;

enum {
  CURL_GLOBAL_ALL = 3,
  CURLVERSION_FIRST = 0,
  CURL_VERSION_ASYNCHDNS = 1 << 7,
  CURL_ERROR_SIZE = 256,
  CURL_WRITEFUNC_PAUSE = 0x10000001,
  CURLPAUSE_CONT = 0,
  CURLPROTO_HTTP = 1 << 0,
  CURLPROTO_HTTPS = 1 << 1,

  CURLOPT_NOSIGNAL = 99,
  CURLOPT_PROTOCOLS = 181,
  CURLOPT_TCP_KEEPALIVE = 213,
  CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
  CURLOPT_QUICK_EXIT = 322,
  CURLOPT_WRITEDATA = 10001,
  CURLOPT_URL = 10002,
  CURLOPT_ERRORBUFFER = 10010,
  CURLOPT_HTTPHEADER = 10023,
  CURLOPT_HEADERDATA = 10029,
  CURLOPT_CAINFO = 10065,
  CURLOPT_CAPATH = 10097,
  CURLOPT_ACCEPT_ENCODING = 10102,
  CURLOPT_PRIVATE = 10103,
  CURLOPT_WRITEFUNCTION = 20011,
  CURLOPT_HEADERFUNCTION = 20079,
  CURLINFO_PRIVATE = 0x100000 + 21,

  CURLMOPT_SOCKETDATA = 10002,
  CURLMOPT_TIMERDATA = 10005,
  CURLMOPT_SOCKETFUNCTION = 20001,
  CURLMOPT_TIMERFUNCTION = 20004,
  CURL_SOCKET_TIMEOUT = -1,
  CURL_POLL_IN = 1,
  CURL_POLL_OUT = 2,
  CURL_POLL_REMOVE = 4,
  CURL_CSELECT_IN = 1,
  CURL_CSELECT_OUT = 2,
  CURL_CSELECT_ERR = 4,
  CURLMSG_DONE = 1,
};

typedef struct {
  int msg;
  CURL *easy_handle;
  union {
    void *whatever;
    CURLcode result;
  } data;
} CURLMsg;

typedef struct {
  int age;
  const char *version;
  unsigned version_num;
  const char *host;
  int features;
} curl_version_info_data;

// All functions, with the types of their results and arguments.
#define FUNCTIONS(F)                                                     \
  F(CURLcode, global_init, (long))                                       \
  F(curl_version_info_data *, version_info, (int))                       \
  F(struct curl_slist *, slist_append, (struct curl_slist *, const char *)) \
  F(void, slist_free_all, (struct curl_slist *))                         \
  F(CURL *, easy_init, (void))                                           \
  F(void, easy_cleanup, (CURL *))                                        \
  F(CURLcode, easy_setopt, (CURL *, int, ...))                           \
  F(CURLcode, easy_getinfo, (CURL *, int, ...))                          \
  F(CURLcode, easy_pause, (CURL *, int))                                 \
  F(const char *, easy_strerror, (CURLcode))                             \
  F(CURLM *, multi_init, (void))                                         \
  F(CURLMcode, multi_setopt, (CURLM *, int, ...))                        \
  F(CURLMcode, multi_add_handle, (CURLM *, CURL *))                      \
  F(CURLMcode, multi_remove_handle, (CURLM *, CURL *))                   \
  F(CURLMcode, multi_socket_action, (CURLM *, int, int, int *))          \
  F(CURLMsg *, multi_info_read, (CURLM *, int *))

#define DECLARE(result, name, arguments) result(*name) arguments;
static struct {
  FUNCTIONS(DECLARE)
} curl;

struct CurlClient {
  CURLM *multi;
  void *owner;
  CurlCallbacks callbacks;
};

struct CurlTransfer {
  CURL *easy;
  struct curl_slist *headers;
  void *owner;
  const CurlCallbacks *callbacks;
  char reason[CURL_ERROR_SIZE];
};

#ifdef __APPLE__
static const char library_name[] = "libcurl.4.dylib";
#else
static const char library_name[] = "libcurl.so.4";
#endif

const char *curl_client_load(void) {
  static bool is_loaded;
  static char reason[CURL_ERROR_SIZE];
  if (is_loaded) return NULL;
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define FIND(result, name, arguments)                                     \
  *(void **)&curl.name = dlsym(library, "curl_" #name);                   \
  if (!curl.name) {                                                       \
    snprintf(reason, sizeof reason, "%s has no curl_" #name, library_name); \
    dlclose(library);                                                     \
    return reason;                                                        \
  }
  FUNCTIONS(FIND)
  curl_version_info_data *version = curl.version_info(CURLVERSION_FIRST);
  if (!(version->features & CURL_VERSION_ASYNCHDNS)) {
    snprintf(reason, sizeof reason, "%s %s can't look up names in the background", library_name, version->version);
    dlclose(library);
    return reason;
  }
  CURLcode code = curl.global_init(CURL_GLOBAL_ALL);
  if (code) return curl.easy_strerror(code);
  is_loaded = true;
  return NULL;
}

static int socket_changed(CURL *easy, int socket, int what, void *client_pointer, void *unused) {
  const CurlClient *client = client_pointer;
  bool is_removed = what == CURL_POLL_REMOVE;
  client->callbacks.watch(client->owner, socket, !is_removed && what & CURL_POLL_IN, !is_removed && what & CURL_POLL_OUT);
  return 0;
}

static int timer_changed(CURLM *multi, long milliseconds, void *client_pointer) {
  const CurlClient *client = client_pointer;
  client->callbacks.set_timer(client->owner, milliseconds);
  return 0;
}

CurlClient *curl_client_make(void *owner, CurlCallbacks callbacks) {
  CurlClient *client = calloc(1, sizeof *client);
  CURLM *multi = client ? curl.multi_init() : NULL;
  if (!multi) {
    free(client);
    return NULL;
  }
  *client = (CurlClient){multi, owner, callbacks};
  curl.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket_changed);
  curl.multi_setopt(multi, CURLMOPT_SOCKETDATA, client);
  curl.multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer_changed);
  curl.multi_setopt(multi, CURLMOPT_TIMERDATA, client);
  return client;
}

void curl_client_socket_ready(CurlClient *client, int socket, bool reading, bool writing, bool failed) {
  int running;
  int events = (reading ? CURL_CSELECT_IN : 0) | (writing ? CURL_CSELECT_OUT : 0) | (failed ? CURL_CSELECT_ERR : 0);
  curl.multi_socket_action(client->multi, socket, events, &running);
}

void curl_client_time_passed(CurlClient *client) {
  int running;
  curl.multi_socket_action(client->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

bool curl_client_next_end(CurlClient *client, void **owner, int *code, const char **reason) {
  int left;
  CURLMsg *message = curl.multi_info_read(client->multi, &left);
  if (!message || message->msg != CURLMSG_DONE) return false;
  CurlTransfer *transfer = NULL;
  curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
  *owner = transfer->owner;
  *code = message->data.result;
  *reason = transfer->reason[0] ? transfer->reason : curl.easy_strerror(message->data.result);
  return true;
}

static size_t pass(CurlVerdict (*take)(void *, const uint8_t *, size_t), CurlTransfer *transfer, char *bytes, size_t count) {
  switch (take(transfer->owner, (const uint8_t *)bytes, count)) {
    case CurlVerdictTaken: return count;
    case CurlVerdictPaused: return CURL_WRITEFUNC_PAUSE;
    case CurlVerdictRefused: return (size_t)-1;
  }
}

static size_t head_came(char *bytes, size_t size, size_t count, void *transfer_pointer) {
  CurlTransfer *transfer = transfer_pointer;
  return pass(transfer->callbacks->take_head, transfer, bytes, size * count);
}

static size_t body_came(char *bytes, size_t size, size_t count, void *transfer_pointer) {
  CurlTransfer *transfer = transfer_pointer;
  return pass(transfer->callbacks->take_body, transfer, bytes, size * count);
}

static void free_transfer(CurlTransfer *transfer) {
  if (transfer->easy) curl.easy_cleanup(transfer->easy);
  curl.slist_free_all(transfer->headers);
  free(transfer);
}

// Sets the options that every transfer needs. Returns false if libcurl doesn't accept one.
static bool prepare(CurlTransfer *transfer, const char *url) {
  CURL *easy = transfer->easy;
  return !curl.easy_setopt(easy, CURLOPT_URL, url)
    && !curl.easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers)
    // Other schemes could reach files, mailboxes and other services.
    && !curl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS))
    && !curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L)
    && !curl.easy_setopt(easy, CURLOPT_PRIVATE, transfer)
    && !curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->reason)
    && !curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, head_came)
    && !curl.easy_setopt(easy, CURLOPT_HEADERDATA, transfer)
    && !curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, body_came)
    && !curl.easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
}

CurlTransfer *curl_transfer_begin(
    CurlClient *client, const char *url, const char *const *headers, size_t header_count, void *owner) {
  CurlTransfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->owner = owner;
  transfer->callbacks = &client->callbacks;
  transfer->easy = curl.easy_init();
  bool is_complete = transfer->easy != NULL;
  for (size_t index = 0; index < header_count && is_complete; index++) {
    struct curl_slist *longer = curl.slist_append(transfer->headers, headers[index]);
    if (longer) transfer->headers = longer;
    is_complete = longer != NULL;
  }
  if (!is_complete || !prepare(transfer, url)) {
    free_transfer(transfer);
    return NULL;
  }
  CURL *easy = transfer->easy;
  // Older versions of libcurl lack some of the following options, which aren't essential.
  //
  // Data in these two formats grows to a thousand times its size at most when it is decompressed. Other formats have no
  // such limit, and while a transfer is paused libcurl keeps all decompressed data of one read.
  curl.easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  curl.easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  // The system notices a server that has disappeared. This costs the process nothing.
  curl.easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  // If a transfer ends while it looks up a name, it doesn't wait for the name server.
  curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  // Other programs that use OpenSSL read these variables, too. libcurl leaves that to its callers.
  const char *certificates = getenv("SSL_CERT_FILE"), *folder = getenv("SSL_CERT_DIR");
  if (certificates && *certificates) curl.easy_setopt(easy, CURLOPT_CAINFO, certificates);
  if (folder && *folder) curl.easy_setopt(easy, CURLOPT_CAPATH, folder);
  if (curl.multi_add_handle(client->multi, easy)) {
    free_transfer(transfer);
    return NULL;
  }
  return transfer;
}

void curl_transfer_resume(CurlTransfer *transfer) { curl.easy_pause(transfer->easy, CURLPAUSE_CONT); }

void curl_transfer_end(CurlClient *client, CurlTransfer *transfer) {
  curl.multi_remove_handle(client->multi, transfer->easy);
  free_transfer(transfer);
}
