import CLinux
import Glibc

/// Receives signals by reading a descriptor (signalfd) instead of by interruption.
///
/// `init` blocks the signals in the calling thread. Create the object before other threads start, so that they inherit
/// the mask. The previous mask is restored when the object is released.
public final class SignalDescriptor {
    /// Readable while a signal is pending; may serve as the `cancel` descriptor of blocking calls.
    public let descriptor: Int32
    private var previous = sigset_t()

    /// Blocks `signals` in the calling thread and opens the descriptor.
    public init(_ signals: [Int32]) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, &previous)
        descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw .last("signalfd") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        pthread_sigmask(SIG_SETMASK, &previous, nil)
    }

    /// Number of the next pending signal; nil if none is pending.
    public func next() -> Int32? {
        var information = signalfd_siginfo()
        let size = MemoryLayout.size(ofValue: information)
        return read(descriptor, &information, size) == size ? Int32(information.ssi_signo) : nil
    }
}

/// Delivers signals to a handler on the reactor's thread. The signals are blocked as with a `SignalDescriptor`.
public final class SignalWatch {
    private let reactor: Reactor
    private let signals: SignalDescriptor
    private let watch: Reactor.Watch

    /// Calls `handler` with the number of each signal in `signals` that arrives.
    public init(_ reactor: Reactor, _ signals: [Int32], handler: @escaping (Int32) -> Void) throws(SystemError) {
        self.reactor = reactor
        let waiting = try SignalDescriptor(signals)
        self.signals = waiting
        watch = try reactor.watch(waiting.descriptor, .reading, precedence: .first) { _ in
            while let signal = waiting.next() { handler(signal) }
        }
    }

    deinit { reactor.remove(watch) }
}

/// Whether a signal is ignored, as SIGHUP is in a program that nohup(1) started. A `SignalDescriptor` receives such a
/// signal anyway, because a blocked signal is not discarded.
public func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

/// Ignores SIGPIPE, so that writing to a pipe or socket without a reader fails with EPIPE and does not end the process.
public func ignoreSIGPIPE() { signal(SIGPIPE, SIG_IGN) }

/// Descriptors and memory of this process, for its own supervision and for tests.
public enum ProcessResources {
    /// Raises the soft limit of open descriptors to `count`, if it is lower.
    ///
    /// - Returns: the new limit, which is lower than `count` if the administrator's hard limit is.
    public static func allowDescriptors(_ count: Int) -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        if limit.rlim_cur < rlim_t(count) {
            limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
            setrlimit(resource, &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Limits the memory that the process can write to, stacks included (RLIMIT_DATA).
    public static func limitData(bytes: Int) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_DATA.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(rlim_t(bytes), limit.rlim_max)
        setrlimit(resource, &limit)
    }

    /// Forbids all processes except those of root to trace this one or read its memory (PR_SET_DUMPABLE).
    public static func forbidTracing() { waymark_forbid_tracing() }

    /// Makes each block of 128 KiB or more return to the system when it is freed, and each heap shrink when as much is
    /// free at its end. To be called before threads start.
    ///
    /// By default, glibc raises both limits when it frees a larger block, up to 32 and 64 MiB. Later blocks then come
    /// from the heap of their thread, and `malloc_trim` does not shrink the heap of any thread but the main thread.
    public static func returnLargeBlocks() {
        let limit: Int32 = 128 << 10
        mallopt(M_MMAP_THRESHOLD, limit)
        mallopt(M_TRIM_THRESHOLD, limit)
    }

    /// Returns unused pages between blocks of the heap to the system. It may take milliseconds, in which allocations by
    /// other threads can block.
    public static func returnFreeMemory() { malloc_trim(0) }

    /// Resident set size in bytes; nil if /proc cannot be read.
    public static var residentBytes: Int? {
        guard let file = fopen("/proc/self/statm", "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Number of open descriptors; nil if /proc cannot be read.
    public static var openDescriptors: Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        // Excludes the entries "." and "..", and the descriptor of the directory itself.
        var count = -3
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
