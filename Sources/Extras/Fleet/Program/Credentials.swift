import Glibc
import Linux

/// Secrets from the service manager: files of `$CREDENTIALS_DIRECTORY` (systemd.exec(5), Credentials).
package struct Credentials {
    /// Name of a file in the folder.
    package enum Name: String, CaseIterable {
        case username = "waymark-mqtt.username"
        case password = "waymark-mqtt.password"
        case authority = "waymark-mqtt.authority"
        case certificate = "waymark-mqtt.certificate"
        case key = "waymark-mqtt.key"
    }

    private let folder: String?

    /// Length limit of user names and passwords in MQTT. Unit: bytes.
    private static let maximumLength = 65_535

    /// - Parameter folder: folder of the files; nil if the service manager has provided none.
    package init(folder: String?) { self.folder = folder }

    package func path(_ name: Name) -> String? {
        guard let folder else { return nil }
        let path = "\(folder)/\(name.rawValue)"
        return access(path, R_OK) == 0 ? path : nil
    }

    /// Returns the text of a file without its final line end, cut at the limit; nil if there is no such file.
    package func text(_ name: Name) throws(WholeFile.Unreadable) -> String? {
        guard let path = path(name), let bytes = try WholeFile(path: path).read(maximumLength: Self.maximumLength)
        else {
            return nil
        }
        // Compared as bytes, because a carriage return followed by a line feed is one Character.
        let lineEnds: Set = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        let text = bytes.prefix(Self.maximumLength).reversed().drop { lineEnds.contains($0) }.reversed()
        return String(decoding: text, as: UTF8.self)
    }
}
