import CPoseRing
import WaymarkInterface

extension Waymark {
    /// Pose of the ring, or a prediction from it. It uses no heap memory.
    public struct RingPose: Sendable {
        private var slot: waymark_ring_slot
        /// Number that changes with each start of the daemon, when sequence numbers begin again.
        public let daemonGeneration: UInt64
        /// Whether the display time was too far ahead, so that the prediction covers only 0.1 s.
        public private(set) var isClamped = false

        /// - Parameter read: copies a pose and returns its sequence number; 0 if there is none.
        init?(
            _ view: UnsafePointer<RingView>,
            by read: (UnsafePointer<waymark_ring>, UnsafeMutablePointer<waymark_ring_slot>) -> UInt64
        ) {
            var slot = waymark_ring_slot()
            guard withUnsafePointer(to: view.pointee.ring, { read($0, &slot) }) != 0 else { return nil }
            self.slot = slot
            daemonGeneration = view.pointee.daemonGeneration
        }

        /// Prediction from this pose: see `PoseRing.pose(atDisplayTime:)`.
        ///
        /// - Parameter time: CLOCK_BOOTTIME. Unit: nanoseconds.
        public func predicted(to time: Int64) -> RingPose {
            var result = self
            result.isClamped = withUnsafePointer(to: slot) { waymark_ring_predict($0, time, &result.slot) }
            return result
        }

        /// Sequence number since the start of the daemon; the first is 1.
        public var sequence: UInt64 { slot.sequence }
        /// Time of the pose, CLOCK_BOOTTIME. Unit: nanoseconds.
        public var time: Int64 { slot.time }
        /// Generation of the scene frame. Placements of another generation are invalid.
        public var generation: UInt32 { slot.generation }
        /// Position in the scene. Unit: metres.
        public var position: Vector { Vector(slot.position) }
        /// Rotation from the body to the scene.
        public var orientation: Quaternion {
            let (x, y, z, w) = slot.orientation
            return Quaternion(x: x, y: y, z: z, w: w)
        }
        /// Velocity in scene axes. Unit: m/s.
        public var linearVelocity: Vector { Vector(slot.linear_velocity) }
        /// Angular velocity in body axes. Unit: rad/s.
        public var angularVelocity: Vector { Vector(slot.angular_velocity) }
        /// Mean acceleration without gravity, in scene axes. Unit: m/s².
        public var acceleration: Vector { Vector(slot.acceleration) }
        /// State of localization; nil if this version does not know it.
        public var state: LocalizationState? { LocalizationState(rawValue: slot.state) }
        /// Alignment of the scene on the earth; nil while it is unknown.
        public var map: RingMap? {
            guard has(WAYMARK_RING_HAS_MAP) else { return nil }
            return RingMap(
                origin: Geo(latitude: slot.map_latitude, longitude: slot.map_longitude, height: slot.map_height),
                alignment: Alignment(
                    yaw: slot.map_yaw, east: slot.map_east, north: slot.map_north, up: slot.map_up))
        }

        /// The pose as a message of org.waymark.Pose. A word that this version does not know is omitted or, in a
        /// required field, replaced by the first word of its enumeration.
        public var message: Pose {
            Pose(
                sequence: Int(clamping: slot.sequence), time: Time(nanoseconds: slot.time),
                utc: has(WAYMARK_RING_HAS_UTC) ? UTCTime(nanoseconds: slot.utc) : nil, frame: "scene",
                generation: Int(slot.generation), position: position, orientation: orientation,
                linearVelocity: linearVelocity, angularVelocity: angularVelocity, tracking: tracking, geo: geo,
                heading: known(slot.heading, WAYMARK_RING_HAS_HEADING),
                headingReference: HeadingReference(rawValue: slot.heading_reference) ?? .none,
                course: known(slot.course, WAYMARK_RING_HAS_COURSE),
                speed: known(slot.speed, WAYMARK_RING_HAS_SPEED), motion: motion, accuracy: accuracy,
                state: state ?? .initializing, reasons: WordSet(bits: slot.reasons),
                sources: WordSet(bits: slot.sources))
        }

        private var tracking: PoseInterface.Tracking {
            PoseInterface.Tracking(
                orientation: PoseInterface.Quality(rawValue: slot.orientation_tracking) ?? .invalid,
                position: PoseInterface.Quality(rawValue: slot.position_tracking) ?? .invalid)
        }

        private var geo: Geo? {
            guard has(WAYMARK_RING_HAS_GEO) else { return nil }
            return Geo(latitude: slot.latitude, longitude: slot.longitude, height: slot.height)
        }

        private var motion: Motion? {
            guard has(WAYMARK_RING_HAS_MOTION), let mode = PoseInterface.MotionMode(rawValue: slot.motion_mode) else {
                return nil
            }
            return Motion(mode: mode, probability: slot.motion_probability)
        }

        private var accuracy: PoseInterface.Accuracy {
            PoseInterface.Accuracy(
                horizontalAccuracy: known(slot.horizontal_accuracy, WAYMARK_RING_HAS_HORIZONTAL_ACCURACY),
                verticalAccuracy: known(slot.vertical_accuracy, WAYMARK_RING_HAS_VERTICAL_ACCURACY),
                orientationYawAccuracy: known(slot.yaw_accuracy, WAYMARK_RING_HAS_YAW_ACCURACY),
                horizontalVelocityAccuracy: known(
                    slot.horizontal_velocity_accuracy, WAYMARK_RING_HAS_HORIZONTAL_VELOCITY_ACCURACY),
                verticalVelocityAccuracy: known(
                    slot.vertical_velocity_accuracy, WAYMARK_RING_HAS_VERTICAL_VELOCITY_ACCURACY),
                angularVelocityAccuracy: known(
                    slot.angular_velocity_accuracy, WAYMARK_RING_HAS_ANGULAR_VELOCITY_ACCURACY))
        }

        private func has(_ field: waymark_ring_field) -> Bool { slot.fields & field.rawValue != 0 }

        private func known(_ value: Double, _ field: waymark_ring_field) -> Double? { has(field) ? value : nil }
    }

    /// Alignment of the scene on the earth, as published at the time of a pose.
    public struct RingMap: Equatable, Sendable {
        /// Origin of the ENU frame.
        public let origin: Geo
        /// Alignment of the scene in the ENU frame.
        public let alignment: Alignment
    }
}

extension PoseInterface.Vector {
    fileprivate init(_ values: (Double, Double, Double)) { self.init(x: values.0, y: values.1, z: values.2) }
}
