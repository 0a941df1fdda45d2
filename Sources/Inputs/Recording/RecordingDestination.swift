import Linux

/// Destination of a recording. It is opened on the recording's thread, because opening may have to wait for a disk.
enum RecordingDestination: Sendable {
    case newFile(path: String)
    /// File that the caller has opened.
    case handedOver(OwnedDescriptor, name: String)

    /// Path or name for messages.
    var path: String {
        switch self {
        case .newFile(let path): path
        case .handedOver(_, let name): name
        }
    }

    /// - Throws: `cannotWrite`, for example if the new file exists already.
    func open() throws(RecordingError) -> File {
        switch self {
        case .newFile(let path):
            // The folder is created on demand, so that a fresh state directory needs no preparation.
            File.makeDirectory(of: path, mode: 0o700)
            return try File.createRecording(path)
        case .handedOver(let owner, let name):
            let file = File(owning: try RecordingDestination.duplicate(owner, name))
            try RecordingDestination.check(file, name)
            return file
        }
    }

    /// Removes a file that was opened and is not needed.
    func discard() {
        if case .newFile(let path) = self { File.remove(path) }
    }

    private static func duplicate(_ owner: OwnedDescriptor, _ name: String) throws(RecordingError) -> Int32 {
        do throws(SystemError) {
            return try owner.duplicate()
        } catch {
            throw .cannotWrite(path: name, reason: error.reason)
        }
    }

    private static func check(_ file: borrowing File, _ name: String) throws(RecordingError) {
        let status: File.Status
        do throws(FileError) {
            status = try file.status()
        } catch {
            throw .cannotWrite(path: name, reason: error.description)
        }
        guard status.isRegular else { throw .cannotWrite(path: name, reason: "not a regular file") }
        guard file.isWritable else { throw .cannotWrite(path: name, reason: "it was not opened for writing") }
        guard status.size == 0 else { throw .cannotWrite(path: name, reason: "the file is not empty") }
    }
}

extension File {
    /// Creates a file for a recording and flushes its name to the disk. Only the owner has access, because a recording
    /// contains positions.
    static func createRecording(_ path: String) throws(RecordingError) -> File {
        do throws(FileError) {
            let file = try File.createNew(path, mode: 0o600)
            try File.synchronizeDirectory(of: path)
            return file
        } catch {
            let reason = error.isExisting ? "the file exists already; choose another name" : error.description
            throw .cannotWrite(path: path, reason: reason)
        }
    }
}
