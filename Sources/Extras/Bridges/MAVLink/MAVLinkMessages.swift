import Geometry

// Source of layouts, numbers and units: common.xml of MAVLink (mavlink.io/en/messages/common.html).

/// HEARTBEAT: presence and state of a component.
package struct MAVLinkHeartbeat: MAVLinkMessage, Hashable {
    /// State of the component, MAV_STATE.
    package enum State: UInt8, Sendable {
        case uninitialized, boot, calibrating, standby, active, critical
    }

    package static let identifier: UInt32 = 0
    package static let checksumSeed: UInt8 = 50
    /// Number of the sending component, MAV_COMP_ID_ONBOARD_COMPUTER.
    package static let component: UInt8 = 191

    /// Type of the sender, MAV_TYPE_ONBOARD_CONTROLLER.
    private static let type: UInt8 = 18
    /// Kind of autopilot, MAV_AUTOPILOT_INVALID: the sender is no autopilot.
    private static let autopilot: UInt8 = 8
    private static let version: UInt8 = 3

    package let state: State

    package func write(into frame: inout MAVLinkEncoder) {
        frame.append(UInt32(0))
        frame.append(Self.type)
        frame.append(Self.autopilot)
        frame.append(UInt8(0))
        frame.append(state.rawValue)
        frame.append(Self.version)
    }
}

/// ATTITUDE_QUATERNION: orientation and angular velocity.
package struct MAVLinkAttitude: MAVLinkMessage, Hashable {
    package static let identifier: UInt32 = 31
    package static let checksumSeed: UInt8 = 246

    /// Time since boot. Unit: ms; wraps around after 49 days.
    package let milliseconds: UInt32
    /// Rotation from body FRD to NED.
    package let rotation: Rotation3
    /// Angular velocity in the body. Unit: rad/s.
    package let angularVelocity: Vector3

    /// Appends the fields in wire order. The extension field, a rotation for display, is all zeros, which marks it as
    /// not supported.
    package func write(into frame: inout MAVLinkEncoder) {
        frame.append(milliseconds)
        frame.append(rotation)
        frame.append(angularVelocity)
    }
}

/// GLOBAL_POSITION_INT: position on the earth, velocity and heading.
package struct MAVLinkGlobalPosition: MAVLinkMessage, Hashable {
    package static let identifier: UInt32 = 33
    package static let checksumSeed: UInt8 = 104

    /// Time since boot. Unit: ms; wraps around after 49 days.
    package let milliseconds: UInt32
    /// Latitude, positive north. Unit: 1e-7 degrees.
    package let latitude: Int32
    /// Longitude, positive east. Unit: 1e-7 degrees.
    package let longitude: Int32
    /// Height above mean sea level. Unit: mm.
    package let altitude: Int32
    /// Height above the origin of the scene. Unit: mm.
    package let relativeAltitude: Int32
    /// Velocity towards north. Unit: cm/s.
    package let north: Int16
    /// Velocity towards east. Unit: cm/s.
    package let east: Int16
    /// Velocity downwards. Unit: cm/s.
    package let down: Int16
    /// Direction of the line of sight from true north, `UInt16.max` if unknown. Unit: 0.01 degrees.
    package let heading: UInt16

    package func write(into frame: inout MAVLinkEncoder) {
        frame.append(milliseconds)
        frame.append(latitude)
        frame.append(longitude)
        frame.append(altitude)
        frame.append(relativeAltitude)
        frame.append(north)
        frame.append(east)
        frame.append(down)
        frame.append(heading)
    }
}

/// ODOMETRY in the frame MAV_FRAME_LOCAL_FRD, whose x axis has any horizontal direction and whose z axis points down.
package struct MAVLinkOdometry: MAVLinkMessage, Hashable {
    /// Kind of estimator, MAV_ESTIMATOR_TYPE.
    package enum Estimator: UInt8, Sendable {
        case unknown = 0
        case visualInertial = 3
        case satelliteInertial = 5
    }

    package static let identifier: UInt32 = 331
    package static let checksumSeed: UInt8 = 91

    /// Frame of position and orientation, MAV_FRAME_LOCAL_FRD.
    private static let frame: UInt8 = 20
    /// Frame of the velocities, MAV_FRAME_BODY_FRD.
    private static let bodyFrame: UInt8 = 12

    /// Time since boot. Unit: µs.
    package let microseconds: UInt64
    /// Position in the frame. Unit: metres.
    package let position: Vector3
    /// Rotation from body FRD to the frame.
    package let rotation: Rotation3
    /// Velocity in the body. Unit: m/s.
    package let velocity: Vector3
    /// Angular velocity in the body. Unit: rad/s.
    package let angularVelocity: Vector3
    /// Covariance of x, y, z, roll, pitch, yaw in the frame. Unit: m², rad².
    package let poseCovariance: MAVLinkCovariance
    /// Covariance of vx, vy, vz and the angular velocity in the body. Unit: m²/s², rad²/s².
    package let velocityCovariance: MAVLinkCovariance
    /// Number of changes of the frame, each of which makes earlier positions invalid; modulo 256.
    package let resetCounter: UInt8
    package let estimator: Estimator
    /// Quality of the tracking; 0 is unknown. Unit: percent.
    package let quality: Int8

    package func write(into frame: inout MAVLinkEncoder) {
        frame.append(microseconds)
        frame.append(position)
        frame.append(rotation)
        frame.append(velocity)
        frame.append(angularVelocity)
        poseCovariance.write(into: &frame)
        velocityCovariance.write(into: &frame)
        frame.append(Self.frame)
        frame.append(Self.bodyFrame)
        frame.append(resetCounter)
        frame.append(estimator.rawValue)
        frame.append(quality)
    }
}
