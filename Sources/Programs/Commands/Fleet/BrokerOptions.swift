import Fleet
import Glibc
import Linux
import Configuration

struct BrokerOptions {
    private static let brokers = Option.text(
        "broker", value: "ADDRESS",
        help: "mqtts://HOST[:PORT] or mqtt://HOST[:PORT]; the nodes of a cluster with spaces between")
    private static let username = Option.text("username", value: "NAME", help: "User name at the broker")
    private static let password = Option.text("password-file", value: "FILE", help: "File that has the password")
    private static let authority = Option.text(
        "authority", value: "FILE",
        help: "Authorities that may have signed the broker's certificate (default: the system's)")
    private static let certificate = Option.text(
        "certificate", value: "FILE", help: "Certificate by which the broker knows you")
    private static let key = Option.text("key", value: "FILE", help: "Private key of the certificate")

    static let all: [any OptionDeclaration] = [brokers, username, password, authority, certificate, key]

    /// Maximum length of a password file. Unit: bytes.
    private static let maximumPasswordLength = 65_535

    /// The broker, or several nodes of one cluster.
    let brokers: [BrokerAddress]
    /// Credentials of the client; the client identifier is empty.
    let access: BrokerAccess

    /// - Throws: `Misuse`, or `CommandError` for a file that cannot be read.
    init(_ options: ParsedOptions) throws {
        do throws(BrokerAddress.Problem) {
            brokers = try BrokerAddress.list(options[Self.brokers] ?? "mqtt://127.0.0.1")
        } catch {
            throw Misuse("--broker \(error)")
        }
        guard !brokers.isEmpty else { throw Misuse("--broker names no broker") }
        var access = BrokerAccess(clientIdentifier: "")
        access.username = options[Self.username]
        access.password = try options[Self.password].map { try Self.password($0) }
        access.authorityFile = try Self.readable(options[Self.authority])
        access.certificateFile = try Self.readable(options[Self.certificate])
        access.keyFile = try Self.readable(options[Self.key])
        guard (access.certificateFile == nil) == (access.keyFile == nil) else {
            throw Misuse("--certificate and --key go together")
        }
        guard access.password == nil || access.username != nil else {
            throw Misuse("--password-file needs --username")
        }
        self.access = access
    }

    /// Reads the password, which is the first line of a file.
    private static func password(_ path: String) throws -> String {
        let bytes: [UInt8]?
        do throws(WholeFile.Unreadable) {
            bytes = try WholeFile(path: path).read(maximumLength: maximumPasswordLength)
        } catch {
            throw CommandError.failed("\(path) cannot be read: \(error)")
        }
        guard let bytes else { throw CommandError.failed("\(path): there is no such file") }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private static func readable(_ path: String?) throws -> String? {
        guard let path else { return nil }
        guard Glibc.access(path, R_OK) == 0 else {
            throw CommandError.failed("\(path) cannot be read: \(SystemError("read", code: errno).reason)")
        }
        return path
    }
}
