import Geometry
import JSON
import Linux
import Model

/// Description of the sensors in the `meta.json` of a folder of sensor tables.
///
/// The file contains an object. If its member `magnetometer` is `"calibrated"`, the magnetometer counts as having a
/// stored calibration. If the member is `"raw"`, null or absent, it does not. Other members are ignored.
struct FolderMeta {
    /// Maximum length of the file. Descriptions of recordings have some kilobytes. Unit: bytes.
    private static let maximumSize = 1 << 20
    /// Parser limits, with which the values take no more memory than the longest file.
    private static let limits = JSONLimits(depth: 16, values: maximumSize / 16, text: maximumSize)
    /// Standard deviation per axis of the hard iron that an ordinary calibration leaves, 2 % of the earth's field.
    /// Unit: microtesla.
    private static let hardIronStandardDeviation = 1.0

    private var isMagnetometerCalibrated = false
    /// Reason why the file is not used; nil if it is used or missing.
    private(set) var warning: String?

    /// Reads the folder's `meta.json` if there is one. Ignores an invalid file, and sets `warning`.
    init(folder: String) {
        let path = folder + "/meta.json"
        do throws(DocumentProblem) {
            guard let bytes = try Self.bytes(path) else { return }
            isMagnetometerCalibrated = try Self.isMagnetometerCalibrated(bytes)
        } catch {
            // The warning omits the problem's path, which may contain any text of the file's author.
            let expected = "an object whose member \"magnetometer\" is \"calibrated\" or \"raw\" is expected"
            warning = "\(path): \(error.message); \(expected), and raw is assumed"
        }
    }

    /// Calibrations that the sensors have from the start.
    ///
    /// - Parameter start: time at which they become active.
    func calibrations(at start: BootTime) -> [SensorCalibration] {
        guard isMagnetometerCalibrated else { return [] }
        let standardDeviation = Vector3(
            Self.hardIronStandardDeviation, Self.hardIronStandardDeviation, Self.hardIronStandardDeviation)
        return [SensorCalibration(time: start, sensor: .magnetometer, biasStandardDeviation: standardDeviation)]
    }

    /// Reads the file; nil if it does not exist.
    private static func bytes(_ path: String) throws(DocumentProblem) -> [UInt8]? {
        let bytes: [UInt8]?
        do throws(WholeFile.Unreadable) {
            bytes = try WholeFile(path: path).read(maximumLength: maximumSize)
        } catch {
            throw DocumentProblem(path: "", message: error.description)
        }
        guard bytes?.count ?? 0 <= maximumSize else {
            throw DocumentProblem(path: "", message: "larger than the limit of \(maximumSize >> 20) MiB")
        }
        return bytes
    }

    private static func isMagnetometerCalibrated(_ bytes: [UInt8]) throws(DocumentProblem) -> Bool {
        let root = try JSONReader.read(bytes, limits: limits)
        try root.require(.object)
        guard let member = root["magnetometer"] else { return false }
        switch member.string {
        case "raw": return false
        case "calibrated": return true
        case nil: throw member.problem("magnetometer is not a string")
        default: throw member.problem("unknown value of magnetometer")
        }
    }
}
