import Glibc
import Linux

/// An open file, pipe or socket that a client handed over, read or written so that neither a cancel nor a client that does
/// nothing has to wait.
package struct DocumentFile: Sendable {
    private let owner: OwnedDescriptor
    private let stop: StopFlag

    /// Why there are no more bytes.
    package enum Failure: Error, CustomStringConvertible {
        case cancelled
        case stuck(seconds: Double)
        case system(FileError)

        package var description: String {
            switch self {
            case .cancelled: "cancelled"
            case .stuck(let seconds): "timeout: no progress for \(Int(seconds)) s"
            case .system(let error): error.description
            }
        }
    }

    /// Time after which a pipe whose other end does nothing is given up. Unit: seconds.
    package static let patience = 60.0
    /// Number of bytes that a pipe that is ready takes without blocking, by POSIX.
    private static let atomic = Int(PIPE_BUF)

    package init(_ owner: OwnedDescriptor, stop: StopFlag) {
        self.owner = owner
        self.stop = stop
    }

    /// The next bytes; 0 at the end.
    package func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            try wait(POLLIN)
            let count = Glibc.read(owner.descriptor, room.baseAddress, room.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw .system(.last) }
        }
    }

    /// Writes all of them.
    package func write(_ bytes: some Sequence<UInt8>) throws(Failure) {
        let bytes = Array(bytes)
        var written = 0
        while written < bytes.count {
            try wait(POLLOUT)
            let count = bytes.withUnsafeBytes { all in
                Glibc.write(owner.descriptor, all.baseAddress! + written, min(Self.atomic, all.count - written))
            }
            if count >= 0 { written += count } else if errno != EINTR && errno != EAGAIN { throw .system(.last) }
        }
    }

    private func wait(_ events: Int32) throws(Failure) {
        let isReady = stop.wait(seconds: Self.patience, for: Int16(events), on: owner.descriptor)
        guard !stop.isSet else { throw .cancelled }
        guard isReady else { throw .stuck(seconds: Self.patience) }
    }
}
