import Glibc

/// Detects descriptors that lead to the journal.
package enum JournalStream {
    /// Whether a descriptor is the stream to the journal that the service manager connected.
    ///
    /// - Parameter variable: value of `JOURNAL_STREAM`: device and inode of that stream in decimal, separated by a
    ///   colon (systemd.exec(5)); nil if it is not set. A descriptor that was redirected later leads to another file.
    package static func isConnected(_ descriptor: Int32, as variable: String?) -> Bool {
        guard let numbers = variable?.split(separator: ":", omittingEmptySubsequences: false), numbers.count == 2,
            let device = UInt64(numbers[0]), let inode = UInt64(numbers[1])
        else { return false }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }
}
