import CLinux
import Glibc

/// Resources of this process: descriptors and memory, for its own supervision and for tests.
public enum ProcessResources {
    /// Raises the soft limit of open descriptors to `count`, if it is lower.
    ///
    /// - Returns: the limit now in force: lower than `count` where the administrator's hard limit is.
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

    /// Returns free heap memory to the system after a large allocation. May take milliseconds, during which other
    /// threads that allocate can block.
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
