import Linux

/// A file that a command makes; one that exists is left alone.
enum NewFile {
    /// Checked before the work, so that an unwritable file fails early.
    static func refuse(existing path: String) throws(CommandError) {
        guard (try? File.status(of: path)) == nil else { throw exists(path) }
    }

    /// - Parameter path: `-` is standard output.
    static func write(_ bytes: [UInt8], to path: String) throws {
        guard path != "-" else { return try Terminal.print(String(decoding: bytes, as: UTF8.self)) }
        do throws(FileError) {
            let file = try File.createNew(path, mode: 0o666)
            do throws(FileError) {
                try file.write(bytes)
            } catch {
                File.remove(path)
                throw error
            }
        } catch {
            throw error.isExisting ? exists(path) : CommandError.failed("cannot write \(path): \(error)")
        }
    }

    private static func exists(_ path: String) -> CommandError {
        .failed("\(path) already exists: remove it, or choose another name")
    }
}
