import CPoseRing
import Geometry
import Linux
import Messages
import Model
import Engine
import WaymarkInterface

/// Writes poses into the memory from which render threads read them.
///
/// `write` allocates nothing and calls the kernel only to wake clients that wait. Only one thread may write.
package final class PoseRingWriter {
    /// Doorbell page of one client, to which that client can write.
    package typealias Doorbell = UnsafeMutablePointer<waymark_ring_doorbell>
    /// Pose with what `write` takes besides.
    package typealias Entry = (pose: PoseEstimate, utcOffset: Int64?, terms: PredictionTerms?)

    /// The memory, to be handed to clients.
    package let memory: SharedMemory
    private let header: UnsafeMutablePointer<waymark_ring_header>
    /// Memory in which the next pose is composed. It is behind a pointer, because a stored property of this type would
    /// be checked for exclusive access at each use.
    private let slot = UnsafeMutablePointer<waymark_ring_slot>.allocate(capacity: 1)
    private var doorbells: [Doorbell] = []
    private var frame: FrameEstimate?
    private var frameGeneration: UInt32?
    /// Whether the slot has the map of the frame, and the field flag that marks the map as known.
    private var hasMap = false
    private var mapField: UInt32 = 0
    /// Number of the newest pose, and of the newest that was written.
    private var newest: UInt64 = 0
    private var written: UInt64 = 0

    /// Creates an empty ring.
    ///
    /// - Parameter generation: number that differs with each start of the daemon.
    package init(generation: UInt64 = UInt64(BootClock.nanoseconds)) throws(SystemError) {
        memory = try SharedMemory("waymark-pose-ring", size: Int(waymark_ring_size()), others: .reading)
        header = memory.address.bindMemory(to: waymark_ring_header.self, capacity: 1)
        slot.initialize(to: waymark_ring_slot())
        var boot = [UInt8](repeating: 0, count: 16)
        let text = Array(BootClock.bootIdentifier.utf8)
        if text.count == 36 { waymark_ring_boot_id(text, &boot) }
        waymark_ring_begin(header, boot, generation)
    }

    deinit { slot.deallocate() }

    /// Notes where the scene lies on the earth; later poses of the same generation contain it as their map.
    package func take(_ frame: FrameEstimate) {
        self.frame = frame
        frameGeneration = frame.generation
        mapField = slot.pointee.set(map: nil)
        hasMap = false
    }

    /// Writes the next pose.
    ///
    /// - Parameters:
    ///   - utcOffset: nanoseconds to add to boot time to get UTC; nil if unknown.
    ///   - terms: terms for a prediction from this pose; nil if there are none.
    package func write(_ pose: PoseEstimate, utcOffset: Int64?, terms: PredictionTerms?) {
        newest += 1
        put(pose, utcOffset, terms)
    }

    /// Counts a pose that is not written, because there is no client to read it.
    package func skip() { newest += 1 }

    /// Writes the newest pose if it was skipped.
    package func catchUp(_ entry: Entry) {
        guard written < newest else { return }
        put(entry.pose, entry.utcOffset, entry.terms)
    }

    private func put(_ pose: PoseEstimate, _ utcOffset: Int64?, _ terms: PredictionTerms?) {
        written = newest
        slot.pointee.set(pose, sequence: newest, utcOffset: utcOffset)
        slot.pointee.set(terms)
        setMap(of: pose.generation)
        waymark_ring_write(header, slot, newest)
        wake()
    }

    /// The map changes seldom, so it stays in the slot from pose to pose.
    private func setMap(of generation: UInt32) {
        let isOfFrame = generation == frameGeneration
        if isOfFrame != hasMap {
            mapField = slot.pointee.set(map: isOfFrame ? frame : nil)
            hasMap = isOfFrame
        }
        slot.pointee.fields |= mapField
    }

    /// Adds a client's doorbell; its memory has to stay mapped until `remove`.
    package func add(_ doorbell: Doorbell) { doorbells.append(doorbell) }

    /// Removes a client's doorbell.
    package func remove(_ doorbell: Doorbell) { doorbells.removeAll { $0 == doorbell } }

    /// Marks the ring as ended and wakes all clients that wait.
    package func end() {
        waymark_ring_end(header)
        wake()
    }

    /// Wakes the waiting threads of each client, at most a fixed number of them; each client has a futex of its own.
    private func wake() {
        for doorbell in doorbells { waymark_ring_wake(doorbell) }
    }
}

/// A pose in the format of the ring. The values, and whether they are present, are taken from the pose message for the
/// socket, so that ring and socket always agree.
extension waymark_ring_slot {
    mutating func set(_ pose: PoseEstimate, sequence: UInt64, utcOffset: Int64?) {
        let message = pose.message(sequence: sequence, utcOffset: utcOffset)
        self.sequence = sequence
        time = pose.time.nanoseconds
        generation = pose.generation
        fields = 0
        utc = message.utc?.nanoseconds ?? 0
        if message.utc != nil { fields |= WAYMARK_RING_HAS_UTC.rawValue }
        setWords(message)
        setMotion(message)
        setPlace(message)
        setAccuracy(message.accuracy)
    }

    private mutating func setWords(_ message: PoseInterface.Pose) {
        state = message.state.rawValue
        orientation_tracking = message.tracking.orientation.rawValue
        position_tracking = message.tracking.position.rawValue
        heading_reference = message.headingReference.rawValue
        motion_mode = message.motion?.mode.rawValue ?? 0
        motion_probability = known(message.motion?.probability, WAYMARK_RING_HAS_MOTION)
        reasons = message.reasons.bits
        sources = message.sources.bits
    }

    private mutating func setMotion(_ message: PoseInterface.Pose) {
        let rotation = message.orientation
        position = finite(message.position)
        linear_velocity = finite(message.linearVelocity)
        angular_velocity = finite(message.angularVelocity)
        orientation = (rotation.x, rotation.y, rotation.z, rotation.w)
        guard !(rotation.x + rotation.y + rotation.z + rotation.w).isFinite else { return }
        orientation = (0, 0, 0, 1)
        orientation_tracking = PoseInterface.Quality.invalid.rawValue
    }

    private mutating func setPlace(_ message: PoseInterface.Pose) {
        let isPlaced = message.geo.map { ($0.latitude + $0.longitude + $0.height).isFinite } ?? false
        let geo = isPlaced ? message.geo : nil
        if isPlaced { fields |= WAYMARK_RING_HAS_GEO.rawValue }
        latitude = geo?.latitude ?? 0
        longitude = geo?.longitude ?? 0
        height = geo?.height ?? 0
        heading = known(message.heading, WAYMARK_RING_HAS_HEADING)
        course = known(message.course, WAYMARK_RING_HAS_COURSE)
        speed = known(message.speed, WAYMARK_RING_HAS_SPEED)
    }

    private mutating func setAccuracy(_ accuracy: PoseInterface.Accuracy) {
        horizontal_accuracy = known(accuracy.horizontalAccuracy, WAYMARK_RING_HAS_HORIZONTAL_ACCURACY)
        vertical_accuracy = known(accuracy.verticalAccuracy, WAYMARK_RING_HAS_VERTICAL_ACCURACY)
        yaw_accuracy = known(accuracy.orientationYawAccuracy, WAYMARK_RING_HAS_YAW_ACCURACY)
        horizontal_velocity_accuracy = known(
            accuracy.horizontalVelocityAccuracy, WAYMARK_RING_HAS_HORIZONTAL_VELOCITY_ACCURACY)
        vertical_velocity_accuracy = known(
            accuracy.verticalVelocityAccuracy, WAYMARK_RING_HAS_VERTICAL_VELOCITY_ACCURACY)
        angular_velocity_accuracy = known(
            accuracy.angularVelocityAccuracy, WAYMARK_RING_HAS_ANGULAR_VELOCITY_ACCURACY)
    }

    /// Sets the terms for a prediction from the pose; without terms, the prediction assumes constant velocities.
    mutating func set(_ terms: PredictionTerms?) {
        guard let terms, terms.isFinite else { return setNoTerms() }
        turning_rate = tuple(terms.turningRate)
        turning_acceleration = tuple(terms.turningAcceleration)
        acceleration = tuple(terms.acceleration)
        let turning = terms.turningVariation
        yaw_acceleration_square = turning.squares.y
        yaw_jerk_square = turning.changes.y
        turning_acceleration_square = turning.squares.x + turning.squares.y + turning.squares.z
        turning_jerk_square = turning.changes.x + turning.changes.y + turning.changes.z
        let moving = terms.movingVariation
        horizontal_acceleration_square = moving.squares.x + moving.squares.z
        horizontal_jerk_square = moving.changes.x + moving.changes.z
        vertical_acceleration_square = moving.squares.y
        vertical_jerk_square = moving.changes.y
    }

    private mutating func setNoTerms() {
        turning_rate = angular_velocity
        turning_acceleration = (0, 0, 0)
        acceleration = (0, 0, 0)
        yaw_acceleration_square = 0
        yaw_jerk_square = 0
        turning_acceleration_square = 0
        turning_jerk_square = 0
        horizontal_acceleration_square = 0
        horizontal_jerk_square = 0
        vertical_acceleration_square = 0
        vertical_jerk_square = 0
    }

    /// Sets where the scene lies on the earth.
    ///
    /// - Returns: the field flag that marks the map as known; 0 if it is unknown or not finite.
    mutating func set(map frame: FrameEstimate?) -> UInt32 {
        let known = frame.flatMap { Map($0) }
        let map = known ?? Map()
        (map_latitude, map_longitude, map_height) = (map.origin.latitude, map.origin.longitude, map.origin.height)
        (map_yaw, map_east) = (map.alignment.yaw, map.alignment.east)
        (map_north, map_up) = (map.alignment.north, map.alignment.up)
        return known == nil ? 0 : WAYMARK_RING_HAS_MAP.rawValue
    }

    private struct Map {
        var origin = PoseInterface.Geo(latitude: 0, longitude: 0, height: 0)
        var alignment = PoseInterface.Alignment(yaw: 0, east: 0, north: 0, up: 0)

        init() {}

        /// Nil if the map is unknown or not finite.
        init?(_ frame: FrameEstimate) {
            guard let origin = frame.origin?.message else { return nil }
            self.origin = origin
            alignment = frame.published.message
            let sum =
                origin.latitude + origin.longitude + origin.height + alignment.yaw + alignment.east + alignment.north
                + alignment.up
            guard sum.isFinite else { return nil }
        }
    }

    /// Returns the value and sets its presence flag; returns 0 without the flag if the value is unknown or not finite.
    private mutating func known(_ value: Double?, _ field: waymark_ring_field) -> Double {
        guard let value, value.isFinite else { return 0 }
        fields |= field.rawValue
        return value
    }

    /// Returns the vector. If it is not finite, returns 0 and marks the position's tracking as invalid, because no
    /// message can hold such a vector.
    private mutating func finite(_ vector: PoseInterface.Vector) -> (Double, Double, Double) {
        guard (vector.x + vector.y + vector.z).isFinite else {
            position_tracking = PoseInterface.Quality.invalid.rawValue
            return (0, 0, 0)
        }
        return (vector.x, vector.y, vector.z)
    }
}

private func tuple(_ vector: Vector3) -> (Double, Double, Double) { (vector.x, vector.y, vector.z) }
