import Geometry

/// What a hard iron that turned up while the board is worn would make better.
public struct HardIronProposal: Hashable, Sendable {
    /// To be taken off the field as it is corrected now, hence to be added to the hard iron in force: with the correction C
    /// and the bias b of the magnetometer's calibration, `C·(measured − b) − offset`, so that the new bias is `b + C⁻¹·offset`.
    ///
    /// Frame: body. Unit: that of the corrected field, microtesla.
    public var offset: Vector3
    /// Standard deviations of the offset.
    public var deviation: Vector3
    /// Walked while both were compared, since the proposal was made. Unit: seconds.
    public var seconds: Double
    /// Root mean squares of what the field differs from its own recent past, with the calibration in force and with the
    /// proposed one, over the comparison. Unit: that of the offset.
    public var residualBefore: Double
    public var residualAfter: Double
    /// Whether it has been better throughout at least ten minutes of walking, in many directions and in more than one place.
    public var isProven: Bool

    public init(
        offset: Vector3, deviation: Vector3, seconds: Double, residualBefore: Double, residualAfter: Double,
        isProven: Bool
    ) {
        self.offset = offset
        self.deviation = deviation
        self.seconds = seconds
        self.residualBefore = residualBefore
        self.residualAfter = residualAfter
        self.isProven = isProven
    }
}
