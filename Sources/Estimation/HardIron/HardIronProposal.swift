import Geometry

/// Proposal of a hard iron that has appeared while the board is worn.
public struct HardIronProposal: Hashable, Sendable {
    /// Offset to subtract from the corrected field, hence to add to the hard iron in force: with the correction C and
    /// the bias b of the magnetometer's calibration, `C·(measured − b) − offset`, so that the new bias is `b +
    /// C⁻¹·offset`.
    ///
    /// Frame: body. Unit: that of the corrected field, microtesla.
    public var offset: Vector3
    /// Standard deviation of the offset, per axis.
    public var deviation: Vector3
    /// Walking time over which both were compared, since the proposal was made. Unit: seconds.
    public var seconds: Double
    /// Root mean square residual of the field, predicted from its recent past, with the calibration in force. Unit:
    /// that of the offset.
    public var residualBefore: Double
    /// Root mean square residual with the proposed offset. Unit: that of the offset.
    public var residualAfter: Double
    /// Whether the proposal has been better throughout at least ten minutes of walking, in many directions and in more
    /// than one place.
    public var isProven: Bool

    /// Makes a proposal.
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
