import CLinux
import Glibc

/// What this process holds of the system, for its own supervision and for tests.
public enum ProcessResources {
    /// Lets the process open so many descriptors, if it may not open more already.
    ///
    /// - Returns: how many it may open now: fewer where the administrator's limit is lower.
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

    /// Gives memory that large work has left free back to the system; a small board has use for it. May take milliseconds, in
    /// which other threads that allocate can wait.
    public static func returnFreeMemory() { malloc_trim(0) }

    /// Resident memory in bytes; nil where /proc is not readable.
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

    /// How many descriptors are open; nil where /proc is not readable.
    public static var openDescriptors: Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        // Not counted: the entries "." and "..", and the descriptor of the directory itself.
        var count = -3
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
