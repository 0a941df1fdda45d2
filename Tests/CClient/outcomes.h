/* Names of outcomes, for the tests that drive these programs. */
#include <waymark.h>

static inline const char *name_of(enum waymark_outcome outcome)
{
    static const char *const names[] = {
        "ok", "notReady", "timedOut", "unreachable", "ended", "disconnected", "ringIsOff", "tooManyReaders", "refused",
        "otherLayout", "otherBoot", "invalid", "tooLong", "tooEarly", "tooLate", "inGap", "callFailed",
        "invalidArgument", "noResources",
    };
    return (unsigned)outcome < sizeof names / sizeof *names ? names[outcome] : "none";
}
