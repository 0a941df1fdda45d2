import Geometry

/// The filter's error state: the offset of each part. A further state is a further line here and in `ErrorVector`,
/// a process noise in `ErrorStateKalmanFilter+Covariance` and its place in the Jacobians of the aids that see it.
///
/// The attitude error is that of the ENU frame, `R_true = exp(δθ)·R`: its third component is the error of the yaw.
///
/// Equation: docs/filter.md (1).
package enum ErrorState {
    package static let attitude = 0
    package static let velocity = 3
    package static let position = 6
    package static let gyroBias = 9
    package static let accelerometerBias = 12
    /// Slowly varying error of the GNSS positions. Frame: ENU. Unit: metres.
    package static let gnssError = 15
    /// Frame: body. Unit: microtesla.
    package static let hardIron = 18
    /// Of the local field's direction against the model, clockwise. Unit: radians.
    package static let magneticOffset = 21
    /// Slowly varying error of the GNSS velocities. Frame: ENU. Unit: m/s.
    package static let gnssVelocityError = 22
    /// Natural logarithm of the true length of a step against the modelled one.
    package static let stepScale = 25
    /// Of the walking direction against the board's forward direction, clockwise. Unit: radians.
    package static let walkingDirection = 26
    /// By how much the receiver's velocity is older than its epoch says. Unit: seconds.
    package static let velocityDelay = 27
    /// Of the pressure's height above the ellipsoidal one. Unit: metres.
    package static let pressureOffset = 28
    package static let count = 29

    package static let yaw = attitude + 2
}

/// Shape: `ErrorState.count` squared.
package typealias Covariance = Matrix<29, 29>
/// Derivatives of a scalar measurement, or of several.
package typealias Jacobian<let Rows: Int> = Matrix<Rows, 29>

/// Which states a measurement may correct. The others count with their uncertainty but keep their value:
/// states to be considered, as Schmidt has it.
package struct GainMask: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static func states(_ offset: Int, count: Int = 3) -> GainMask {
        GainMask(rawValue: ((1 << UInt32(count)) - 1) << UInt32(offset))
    }

    package static let all = states(0, count: ErrorState.count)
    package static let tilt = states(ErrorState.attitude, count: 2)
    package static let yaw = states(ErrorState.yaw, count: 1)
    package static let velocity = states(ErrorState.velocity)
    package static let position = states(ErrorState.position)
    package static let gyroBias = states(ErrorState.gyroBias)
    package static let accelerometerBias = states(ErrorState.accelerometerBias)
    package static let gnssError = states(ErrorState.gnssError)
    package static let hardIron = states(ErrorState.hardIron)
    package static let magneticOffset = states(ErrorState.magneticOffset, count: 1)
    package static let stepScale = states(ErrorState.stepScale, count: 1)
    package static let walkingDirection = states(ErrorState.walkingDirection, count: 1)
    package static let velocityDelay = states(ErrorState.velocityDelay, count: 1)
    package static let pressureOffset = states(ErrorState.pressureOffset, count: 1)

    @inlinable
    package func allows(_ state: Int) -> Bool { rawValue >> UInt32(state) & 1 == 1 }

    package var count: Int { rawValue.nonzeroBitCount }

    /// The states of the mask, in order.
    @inline(__always)
    package var indices: Indices { Indices(rest: rawValue) }

    package struct Indices: Sequence, IteratorProtocol {
        fileprivate var rest: UInt32

        @inline(__always)
        package mutating func next() -> Int? {
            guard rest != 0 else { return nil }
            defer { rest &= rest &- 1 }
            return rest.trailingZeroBitCount
        }
    }
}
