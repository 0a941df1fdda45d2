import Calibration
import Geometry
import JSON
import Model

/// Reason why a document is refused.
public enum CalibrationDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document has a newer version of the format; it is left unchanged.
    case newer(version: Int)
    case flawed(DocumentProblem)

    /// Problem of the document that caused the error, with its path.
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

    /// Problem with its path, as text.
    public var description: String { "\(problem)" }
}

extension CalibrationDocument {
    /// Reads an untrusted document. Limits its size and checks each value; throws a problem with its path.
    public static func read(_ bytes: [UInt8]) throws(CalibrationDocumentError) -> CalibrationDocument {
        let version: Int
        do throws(DocumentProblem) {
            guard bytes.count <= maximumSize else {
                throw DocumentProblem(path: "$", message: "larger than the limit of \(maximumSize >> 20) MiB")
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
