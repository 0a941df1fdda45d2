import Geometry
import Model

// Bit patterns, because equal numbers need not be the same bytes: 0 and −0 are equal.

extension Double {
    var bits: UInt64 { bitPattern }
}

extension Optional<Double> {
    /// Two words, so that nil is no number.
    var bits: [UInt64] { self.map { [1, $0.bitPattern] } ?? [0, 0] }
}

extension Vector3 {
    var bits: [UInt64] { [x.bits, y.bits, z.bits] }
}

extension Rotation3 {
    var bits: [UInt64] { [w.bits, x.bits, y.bits, z.bits] }
}

extension GeodeticPosition {
    var bits: [UInt64] { [latitudeDegrees.bits, longitudeDegrees.bits, ellipsoidalHeight.bits] }
}

extension PoseEstimate {
    var bits: [UInt64] {
        var bits: [UInt64] = [UInt64(bitPattern: time.nanoseconds), UInt64(generation)]
        bits += rotationSceneFromBody.bits + positionInScene.bits + velocityInScene.bits
        bits += angularVelocityInBody.bits + rotationENUFromBody.bits + (velocityENU?.bits ?? [])
        bits += (geodetic?.bits ?? []) + heading.bits
        bits += accuracy.horizontal.bits + accuracy.vertical.bits + accuracy.yaw.bits
        let small = [
            status.headingReference.rawValue, status.orientationTracking.rawValue, status.positionTracking.rawValue,
            status.state.rawValue,
        ]
        return bits + small.map { UInt64($0) } + [UInt64(status.reasons.rawValue), UInt64(status.sources.rawValue)]
    }
}

extension FrameEstimate {
    var bits: [UInt64] {
        [UInt64(generation)] + (origin?.bits ?? []) + published.bits + target.bits
            + (slewEnd.map { [UInt64(bitPattern: $0.nanoseconds)] } ?? [])
    }
}

extension SceneAlignment {
    var bits: [UInt64] { [yaw.bits] + translation.bits }
}
