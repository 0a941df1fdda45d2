import Geometry

/// How the estimator weighs what it is told. Every value has a default that serves all recordings alike.
///
/// Origin, unless a line says otherwise: start values of a prototype tried on simulated and recorded walks and drives.
public struct EstimatorSettings: Hashable, Sendable {
    public var initial = Initial()
    public var inertial = Inertial()
    public var gnss = GNSS()
    public var magnetic = Magnetic()
    public var magneticCalibration = MagneticCalibration()
    public var hardIron = HardIron()
    public var unaided = Unaided()
    public var rest = Rest()
    public var steps = Steps()
    public var vehicle = Vehicle()
    public var height = Height()
    public var scene = Scene()
    public var tracking = Tracking()

    public init() {}
}
