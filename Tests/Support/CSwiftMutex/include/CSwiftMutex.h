#pragma once

/* Nothing to call: a program that links this target has ThreadSanitizer understand Swift's Mutex. */
