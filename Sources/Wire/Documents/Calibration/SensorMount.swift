/// Mounting of a sensor: body = sign · matrix · sensor.
public struct SensorMount: Hashable, Sendable {
    /// Rotation from sensor axes to body axes, row by row.
    public var matrix: [Double]
    /// -1 for a sensor that reports the negative of the measured quantity, otherwise 1.
    public var sign: Int

    package init(_ matrix: [Double], sign: Int = 1) {
        self.matrix = matrix
        self.sign = sign
    }
}
