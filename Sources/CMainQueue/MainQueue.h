#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

// How a run loop of another kind than libdispatch's serves the main queue. CoreFoundation's run loop uses the same functions;
// libdispatch exports them and has no header for them.

/// A descriptor that can be read when something was put into the main queue (Linux).
extern int _dispatch_get_main_queue_handle_4CF(void);

/// Runs what is in the main queue. Called on the main thread alone; the parameter has no meaning.
extern void _dispatch_main_queue_callback_4CF(void *_Nullable message);

/// Whether the calling thread is the process's first one (Linux).
static inline bool isMainThread(void) { return syscall(SYS_gettid) == getpid(); }
