import Model

/// Whether the magnetometer may turn the filter: not after motion has shown that its field points elsewhere.
///
/// A field that then agrees with the yaw for long enough has its say again.
package struct FieldTrust: Sendable {
    package private(set) var isRefuted = false
    private var agreesSince: BootTime?

    package init() {}

    /// How long a refuted field must agree. Unit: seconds.
    private static let agreementSeconds = 30.0
    /// Of the field's direction where nothing disturbs it. Unit: radians.
    private static let directionDeviation = 0.1
    /// Deviations within which it agrees.
    private static let gate = 2.0

    mutating func refute() { self = FieldTrust(isRefuted: true) }

    private init(isRefuted: Bool) { self.isRefuted = isRefuted }

    /// - Parameters:
    ///   - innovation: of the yaw, by the field. Unit: radians.
    ///   - deviation: of the yaw as the filter has it. Unit: radians.
    mutating func allows(innovation: Double, deviation: Double, at time: BootTime) -> Bool {
        guard isRefuted else { return true }
        let spread = (deviation * deviation + Self.directionDeviation * Self.directionDeviation).squareRoot()
        guard innovation.magnitude < Self.gate * spread else {
            agreesSince = nil
            return false
        }
        let since = agreesSince ?? time
        agreesSince = since
        guard time.seconds(since: since) >= Self.agreementSeconds else { return false }
        self = FieldTrust()
        return true
    }
}
