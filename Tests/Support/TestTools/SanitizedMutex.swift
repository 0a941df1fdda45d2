// Links into every program with tests what explains Swift's Mutex to ThreadSanitizer; there is nothing to call.
import CSwiftMutex
