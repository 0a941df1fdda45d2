import WaymarkInterface

/// Calibration of the sensors.
extension Waymark.Client {
    /// Runs a calibration. The last message is the result. Closing the connection ends the calibration without storing
    /// anything.
    ///
    /// - Parameters:
    ///   - force: whether to store the result even if the active calibration is better.
    ///   - store: whether to store the result at all.
    public func calibrate(
        _ kind: Waymark.CalibrationKind, force: Bool = false, store: Bool = true
    ) throws(WaymarkError) -> Waymark.Updates<Waymark.CalibrationUpdate> {
        let method = CalibrationInterface.Start(kind: kind, force: force ? true : nil, store: store ? nil : false)
        return try stream(method).compactMap {
            $0.result.map(Waymark.CalibrationUpdate.result) ?? $0.progress.map(Waymark.CalibrationUpdate.progress)
        }
    }

    /// Ends the sampling of a calibration that runs on another connection.
    public func finishCalibration() throws(WaymarkError) { _ = try call(CalibrationInterface.Finish()) }

    /// Stored calibrations.
    public func calibrations() throws(WaymarkError) -> [Waymark.CalibrationEntry] {
        try call(CalibrationInterface.List()).calibrations
    }

    /// Deletes stored calibrations.
    ///
    /// - Parameter sensor: name of a sensor or of its calibration; nil for all.
    /// - Returns: sensors whose stored calibration was deleted.
    @discardableResult
    public func resetCalibration(_ sensor: String? = nil) throws(WaymarkError) -> [String] {
        try call(CalibrationInterface.Reset(sensor: sensor)).reset
    }

    /// All stored calibrations, as one JSON document.
    public func exportCalibration() throws(WaymarkError) -> String { try call(CalibrationInterface.Export()).document }

    /// Stores the calibrations of a document.
    ///
    /// - Parameter force: whether to store calibrations even if they are worse than the active ones.
    /// - Returns: sensors whose calibration was stored.
    @discardableResult
    public func importCalibration(_ document: String, force: Bool = false) throws(WaymarkError) -> [String] {
        try call(CalibrationInterface.Import(document: document, force: force ? true : nil)).imported
    }
}
