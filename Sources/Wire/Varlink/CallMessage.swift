import Glibc
import JSON

/// A received call whose envelope has been checked.
package struct CallMessage {
    package let method: String
    package let more: Bool
    package let oneway: Bool
    /// Parameters as an object, which is empty if the call has none.
    package let parameters: JSONNode
    /// Error for a parameter that contains too large a number; nil if there is none.
    let flaw: VarlinkError?

    /// Limits of a message. No interface needs the permitted depth.
    static let limits: JSONLimits = {
        var limits = JSONLimits()
        limits.depth = 32
        return limits
    }()

    /// Reads one message, without its NUL. The thrown error is the reply to an invalid call.
    package init(_ message: ArraySlice<UInt8>) throws(VarlinkError) {
        guard let (envelope, tooLarge) = Self.read(message), envelope.kind == .object else {
            throw .invalidParameter("message")
        }
        flaw = tooLarge.map { .invalidParameter($0) }
        do throws(DocumentProblem) {
            method = try envelope.required("method")
            more = try envelope.optional("more") ?? false
            oneway = try envelope.optional("oneway") ?? false
            if let given = envelope["parameters"] {
                try given.require(.object)
                parameters = given
            } else {
                parameters = try JSONReader.read(Self.noParameters)
            }
        } catch {
            throw .invalidParameter(error.path(below: envelope))
        }
    }

    /// Reads a message; nil if it is not JSON, or has more than one number that is too large. Such a number is replaced
    /// by 0, so that the rest of the call is known and its caller gets a specific error.
    private static func read(_ message: ArraySlice<UInt8>) -> (envelope: JSONNode, tooLarge: String?)? {
        do throws(DocumentProblem) {
            return (try JSONReader.read(message, limits: limits), nil)
        } catch {
            guard let offset = error.tooLargeNumber, message.indices.contains(message.startIndex + offset) else {
                return nil
            }
            var replaced = Array(message)
            for index in replaced.indices[offset...] {
                guard "+-.eE0123456789".utf8.contains(replaced[index]) else { break }
                replaced[index] = UInt8(ascii: index == offset ? "0" : " ")
            }
            guard let envelope = try? JSONReader.read(replaced, limits: limits) else { return nil }
            let path = error.path
            let prefix = ["$.parameters.", "$."].first(where: path.hasPrefix) ?? ""
            // If the number is in a list, the list's name is reported.
            return (envelope, String(path.dropFirst(prefix.count).prefix { $0 != "[" }))
        }
    }

    /// The first parameter that is not in `known`; nil if all parameters are known.
    func unknownParameter(besides known: Set<String>) -> String? {
        parameters.members.lazy.compactMap(\.name.string).first { !known.contains($0) }
    }

    private static let noParameters = Array("{}".utf8)

    /// Whether one of these messages may be a call that wants no reply. The messages are not parsed, only searched for
    /// the name of that member, or for an escape with which the name may be written.
    static func mayBeOneway(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { $0.contains("oneway") || $0.contains("\\") }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ text: StaticString) -> Bool {
        guard let start = baseAddress else { return false }
        let length = text.utf8CodeUnitCount
        var searched = 0
        while let found = memchr(start + searched, Int32(text.utf8Start.pointee), count - searched) {
            let offset = UnsafeRawPointer(found) - start
            if count - offset >= length, memcmp(found, text.utf8Start, length) == 0 { return true }
            searched = offset + 1
        }
        return false
    }
}

extension DocumentProblem {
    /// Path relative to an object, such as `radius` or `devices[0].name`.
    func path(below node: JSONNode) -> String {
        let prefix = node.path + "."
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }
}
