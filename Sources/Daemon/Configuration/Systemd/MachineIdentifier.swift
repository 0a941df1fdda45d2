import CSystemd

/// The computer's machine-id (machine-id(5)), which is secret. Other programs get only values that are derived from it.
package enum MachineIdentifier {
    /// Returns an identifier of this computer for one use; nil if the computer has no machine-id. Its 32 hexadecimal
    /// digits reveal neither the machine-id nor the identifiers for other uses.
    ///
    /// - Parameter application: 16 bytes that identify the use.
    package static func derived(for application: [UInt8]) -> String? {
        precondition(application.count == 16, "the identifier of a use has 16 bytes")
        var use = sd_id128_t()
        var result = sd_id128_t()
        withUnsafeMutableBytes(of: &use) { $0.copyBytes(from: application) }
        guard sd_id128_get_machine_app_specific(use, &result) == 0 else { return nil }
        return withUnsafeBytes(of: result) { bytes in
            bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        }
    }
}
