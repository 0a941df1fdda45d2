import WaymarkInterface

/// A pose with everything known: 47.5° north, 8.25° west, looking north-east and a little up, walking.
func samplePose(
    tracking: PoseInterface.Quality = .tracked, sources: WordSet<PoseInterface.Source> = [.inertial, .gnssPosition],
    reference: PoseInterface.HeadingReference = .trueNorth, utc: UTCTime? = UTCTime("2026-06-21T10:20:30.500000Z")
) -> PoseInterface.Pose {
    PoseInterface.Pose(
        sequence: 7, time: PoseInterface.Time(sec: 100, nsec: 0), utc: utc, frame: "scene", generation: 1,
        position: PoseInterface.Vector(x: 1, y: 0, z: -2), orientation: orientation(heading: 45, pitch: 5, roll: -3),
        linearVelocity: PoseInterface.Vector(x: 1, y: 0.25, z: 0),
        angularVelocity: PoseInterface.Vector(x: 0, y: 0, z: 0),
        tracking: PoseInterface.Tracking(orientation: tracking, position: tracking),
        geo: PoseInterface.Geo(latitude: 47.5, longitude: -8.25, height: 460),
        heading: 45, headingReference: reference, course: 90, speed: 1, motion: nil,
        accuracy: PoseInterface.Accuracy(
            horizontalAccuracy: 1.51, verticalAccuracy: 2, orientationYawAccuracy: 3, horizontalVelocityAccuracy: 0.151,
            verticalVelocityAccuracy: 0.1, angularVelocityAccuracy: nil),
        state: .localized, reasons: [], sources: sources)
}
