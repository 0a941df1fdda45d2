import Calibration
import Geometry
import JSON
import Model

/// Why a document is not taken.
public enum CalibrationDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Of a version that this program does not know: nothing of it is touched.
    case newer(version: Int)
    case flawed(DocumentProblem)

    /// As one of a document: where, and what.
    public var problem: DocumentProblem {
        switch self {
        case .newer(let version):
            DocumentProblem(
                path: "$.version",
                message: "version \(version) is of a newer Waymark; this one reads up to \(CalibrationDocument.version)"
            )
        case .flawed(let problem): problem
        }
    }

    public var description: String { "\(problem)" }
}

extension CalibrationDocument {
    /// Reads what may come from anywhere: bounded, each value checked, a problem told with its path.
    public static func read(_ bytes: [UInt8]) throws(CalibrationDocumentError) -> CalibrationDocument {
        let version: Int
        do throws(DocumentProblem) {
            guard bytes.count <= longest else {
                throw DocumentProblem(path: "$", message: "larger than the limit of \(longest >> 20) MiB")
            }
            let root = try JSONReader.read(bytes, limits: JSONLimits(depth: 16, values: 200_000, text: 1 << 20))
            let name = try root.member("format")
            guard try name.text() == format else { throw name.problem("\"\(format)\" is needed") }
            version = try root.member("version").integer()
            guard version >= 1 else { throw try root.member("version").problem("there is no version \(version)") }
            if version <= Self.version { return try CalibrationParts.document(root) }
        } catch {
            throw .flawed(error)
        }
        throw .newer(version: version)
    }
}
