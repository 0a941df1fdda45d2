import Glibc

/// What this process holds of the system, for its own supervision and for tests.
public enum ProcessResources {
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
