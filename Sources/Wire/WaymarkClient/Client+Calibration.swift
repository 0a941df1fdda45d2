import WaymarkInterface

/// Calibration of the sensors.
extension Waymark.Client {
    /// Calibrates. Closing the connection ends it, and nothing is stored then; after the result no message comes.
    ///
    /// - Parameters:
    ///   - force: stores the result also if the calibration that is applied is better.
    ///   - store: false stores nothing.
    public func calibrate(
        _ kind: Waymark.CalibrationKind, force: Bool = false, store: Bool = true
    ) throws(WaymarkError) -> Waymark.Updates<Waymark.CalibrationUpdate> {
        let method = CalibrationInterface.Start(kind: kind, force: force ? true : nil, store: store ? nil : false)
        return try stream(method).compactMap(Waymark.CalibrationUpdate.init)
    }

    /// Ends the sampling of the calibration in progress on another connection.
    public func finishCalibration() throws(WaymarkError) { _ = try call(CalibrationInterface.Finish()) }

    /// Stored calibrations.
    public func calibrations() throws(WaymarkError) -> [Waymark.CalibrationEntry] {
        try call(CalibrationInterface.List()).calibrations
    }

    /// Deletes stored calibrations.
    ///
    /// - Parameter sensor: a sensor's name, or that of its calibration; nil for all.
    /// - Returns: sensors of which a calibration was stored.
    @discardableResult
    public func resetCalibration(_ sensor: String? = nil) throws(WaymarkError) -> [String] {
        try call(CalibrationInterface.Reset(sensor: sensor)).reset
    }

    /// All stored calibrations, as one JSON document.
    public func exportCalibration() throws(WaymarkError) -> String { try call(CalibrationInterface.Export()).document }

    /// Stores the calibrations of a document.
    ///
    /// - Parameter force: also those that are worse than what is applied.
    /// - Returns: sensors of which a calibration was stored.
    @discardableResult
    public func importCalibration(_ document: String, force: Bool = false) throws(WaymarkError) -> [String] {
        try call(CalibrationInterface.Import(document: document, force: force ? true : nil)).imported
    }
}
