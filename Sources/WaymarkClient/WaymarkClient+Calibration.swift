import Varlink

/// A calibration as it goes on.
public final class CalibrationUpdates {
    public enum Update: Equatable, Sendable {
        case progress(CalibrationStep)
        /// The last one.
        case result(CalibrationOutcome)
    }

    private struct Message: Decodable {
        let progress: CalibrationStep?
        let result: CalibrationOutcome?
    }

    private let replies: VarlinkReplies

    init(_ replies: VarlinkReplies) { self.replies = replies }

    /// The next message; nil if the daemon has ended it without a result.
    ///
    /// - Parameter timeout: how long to wait for it; nil waits for as long as it takes. After it nothing more comes, and
    ///   nothing is kept.
    public func next(timeout: Duration? = nil) throws(WaymarkError) -> Update? {
        while true {
            guard let message = try replies.message(Message.self, timeout: timeout) else { return nil }
            if let result = message.result { return .result(result) }
            if let progress = message.progress { return .progress(progress) }
        }
    }
}

/// Calibration of the sensors.
extension WaymarkClient {
    private static let interface = "org.waymark.Calibration."

    private struct Nothing: Decodable {}

    private struct StartParameters: Encodable {
        let kind: CalibrationSubject
        let force: Bool?
        let store: Bool?
    }

    private struct ResetParameters: Encodable { let sensor: String? }
    private struct ImportParameters: Encodable {
        let document: String
        let force: Bool?
    }

    private struct ListReply: Decodable { let calibrations: [CalibrationEntry] }
    private struct ResetReply: Decodable { let reset: [String] }
    private struct ExportReply: Decodable { let document: String }
    private struct ImportReply: Decodable { let imported: [String] }

    /// Calibrates. The connection's end ends it, and nothing is kept then.
    ///
    /// - Parameters:
    ///   - force: keeps also a result that is worse than what is in force.
    ///   - store: false keeps nothing.
    public func calibrate(
        _ subject: CalibrationSubject, force: Bool = false, store: Bool = true
    ) throws(WaymarkError) -> CalibrationUpdates {
        let parameters = StartParameters(kind: subject, force: force ? true : nil, store: store ? nil : false)
        return CalibrationUpdates(try stream(Self.interface + "Start", parameters))
    }

    /// Ends the samples of the calibration that goes on over another connection.
    public func finishCalibration() throws(WaymarkError) {
        _ = try call(Self.interface + "Finish", NoParameters(), Nothing.self)
    }

    /// What is kept.
    public func calibrations() throws(WaymarkError) -> [CalibrationEntry] {
        try call(Self.interface + "List", NoParameters(), ListReply.self).calibrations
    }

    /// Takes away what is kept.
    ///
    /// - Parameter sensor: by its own name or by that of its calibration; nil is all.
    /// - Returns: what was there.
    @discardableResult
    public func resetCalibration(_ sensor: String? = nil) throws(WaymarkError) -> [String] {
        try call(Self.interface + "Reset", ResetParameters(sensor: sensor), ResetReply.self).reset
    }

    /// All that is kept, as one JSON document.
    public func exportCalibration() throws(WaymarkError) -> String {
        try call(Self.interface + "Export", NoParameters(), ExportReply.self).document
    }

    /// Takes in a document.
    ///
    /// - Parameter force: also where it is worse than what is in force.
    /// - Returns: the sensors of which something was taken in.
    @discardableResult
    public func importCalibration(_ document: String, force: Bool = false) throws(WaymarkError) -> [String] {
        try call(
            Self.interface + "Import", ImportParameters(document: document, force: force ? true : nil),
            ImportReply.self
        ).imported
    }
}
