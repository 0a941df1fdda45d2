import Documents
import Linux

/// Folder of the calibrations, with one file per device, replaced as a whole: a loss of power leaves the old or the new
/// one.
///
/// To be used by one thread at a time, which may have to wait for the disk.
package struct CalibrationStore: Sendable {
    private let directory: String

    /// Maximum number of files read, more than any board's number of devices.
    private static let maximumFileCount = 256

    /// - Parameter state: state directory of the daemon.
    package init(state: String) { directory = state + "/calibration" }

    package struct Content: Sendable {
        /// Calibrations of each device whose file could be read.
        package var devices: [DeviceCalibration] = []
        /// Reasons why files of a newer version are left unchanged, by path.
        package var untouchable: [String: String] = [:]
        /// Reason why the folder may have further files, which must not be replaced; nil if all files were found.
        package var unread: String?
        /// Warnings about files and their treatment, for the journal.
        package var warnings: [String] = []
    }

    package func path(of device: CalibratedDevice) -> String { "\(directory)/\(device.slug).json" }

    /// Reads all files. A damaged file is moved aside; one of a newer version is left unchanged.
    package func load() -> Content { load(File.listing(of: directory)) }

    /// Like `load()`, with the names that were found in the folder.
    package func load(_ listing: File.Listing) -> Content {
        var content = Content()
        let names = listing.names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
        for name in names.prefix(Self.maximumFileCount).sorted() {
            load(WholeFile(path: "\(directory)/\(name)"), into: &content)
        }
        if let error = listing.error, !error.isMissing {
            content.unread = "it was not found at the start (\(error))"
            content.warnings.append(
                "\(directory) cannot be read to its end: \(error); calibrations of \(content.devices.count) devices "
                    + "are used, others may be missing: check the disk and the folder's permissions, then restart "
                    + "waymarkd")
        }
        return content
    }

    private func load(_ file: WholeFile, into content: inout Content) {
        do {
            guard let bytes = try file.read(maximumLength: CalibrationDocument.maximumSize) else { return }
            let document = try CalibrationDocument.read(bytes)
            guard let calibration = document.devices.first, document.devices.count == 1,
                let device = calibration.device, path(of: device) == file.path
            else { throw WrongPlace() }
            content.devices.append(calibration)
        } catch CalibrationDocumentError.newer(let version) {
            let reason = "version \(version) was written by a newer Waymark"
            content.untouchable[file.path] = reason
            content.warnings.append("\(file.path) is not used and was not changed: \(reason)")
        } catch {
            content.warnings.append(file.movedAside("not a valid calibration", "\(error)").text)
        }
    }

    private struct WrongPlace: Error, CustomStringConvertible {
        var description: String { "the content does not match the device in the file name" }
    }

    /// Replaces the stored calibrations of a device; a reader, also after a loss of power, finds either the old file or
    /// the new one.
    package func save(_ calibration: DeviceCalibration) throws(FileError) {
        guard let device = calibration.device else { preconditionFailure("a stored calibration belongs to a device") }
        let file = WholeFile(path: path(of: device))
        guard !calibration.sensors.isEmpty else { return try file.remove() }
        try file.replaceInOwnFolder(with: CalibrationDocument([calibration]).bytes)
    }

    package func exists(_ path: String) -> Bool { (try? File.status(of: path)) != nil }
}
