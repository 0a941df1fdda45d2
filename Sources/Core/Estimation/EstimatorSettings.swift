import Geometry
import Model

/// Settings of the estimator: noise models, gates and limits. One set of defaults serves all recordings.
///
/// Values whose comment states no origin come from a prototype tuned on simulated and recorded walks and drives.
public struct EstimatorSettings: Hashable, Sendable {
    /// Error model of a camera's odometry.
    public var camera = Camera()
    /// Error model of offers from other programs.
    public var offers = Offers()
    /// Initial standard deviations.
    public var initial = Initial()
    /// Noise of the inertial sensors.
    public var inertial = Inertial()
    /// Error model of satellite fixes.
    public var gnss = GNSS()
    /// Error model of the magnetometer.
    public var magnetic = Magnetic()
    /// Estimator of hard iron and local field.
    public var magneticCalibration = MagneticCalibration()
    /// Operation without satellites.
    public var unaided = Unaided()
    /// Settings of the rest detector and the zero-velocity update.
    public var rest = Rest()
    /// Settings of the step detector and the model of step length.
    public var gait = GaitSettings()
    /// Error model of steps.
    public var steps = Steps()
    /// Settings of the constraint on the motion of vehicles.
    public var vehicle = Vehicle()
    /// Error model of heights from air pressure.
    public var height = Height()
    /// Parts that run: all, unless one is switched off to measure its benefit.
    package var parts = EstimatorParts.all

    /// Makes the defaults.
    public init() {}
}

// A restored state keeps the settings of the estimator that it is restored to.
extension EstimatorSettings: Unsaved {}
extension EstimatorSettings.Inertial: Unsaved {}
extension EstimatorSettings.Initial: Unsaved {}
