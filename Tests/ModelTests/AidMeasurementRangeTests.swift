import Geometry
import Model
import Testing

@Suite("The range of what other programs offer")
struct AidMeasurementRangeTests {
    private static let place = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 400)!
    private static let pose = OdometryPose(
        position: Vector3(1, 2, 3), rotationOwnFromBody: .identity, reset: 1, tracking: 1)
    private static let position = OfferedPosition(
        position: place, hasHeight: true, horizontalAccuracy: 3, verticalAccuracy: 4)
    private static let sighting = Sighting(
        target: .point(place, hasHeight: true), directionInBody: Vector3(0, 0.6, 0.8), standardDeviation: 0.1)
    private static let range = BeaconRange(beacon: place, range: 20, standardDeviation: 0.5)
    private static let heading = OfferedHeading(azimuth: 1, standardDeviation: 0.1)
    private static let height = OfferedHeight(height: 400, standardDeviation: 2)

    static let all: [AidMeasurement.Content] = [
        .odometry(pose), .position(position), .sighting(sighting), .range(range), .heading(heading), .height(height),
    ]

    private static func holds(
        _ content: AidMeasurement.Content, time: Int64 = 1_000, arrival: Int64 = 2_000
    ) -> Bool {
        AidMeasurement(
            source: .aid, time: BootTime(nanoseconds: time), arrival: BootTime(nanoseconds: arrival), content: content
        ).isInRange
    }

    private static func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var value = value
        change(&value)
        return value
    }

    @Test("holds what is measured, at times of any clock alone", arguments: all)
    func usual(content: AidMeasurement.Content) {
        #expect(Self.holds(content))
        #expect(!Self.holds(content, time: .max) && !Self.holds(content, time: .min))
        #expect(!Self.holds(content, arrival: .max) && !Self.holds(content, arrival: .min))
    }

    @Test(
        "ends before values that are not finite or beyond any measurement",
        arguments: [
            Double.nan, .infinity, -.infinity, 1e20, -1e20, .greatestFiniteMagnitude,
        ])
    func beyond(value: Double) {
        let contents: [AidMeasurement.Content] =
            [\Vector3.x, \.y, \.z].map { axis in
                .odometry(Self.changed(Self.pose) { $0.position[keyPath: axis] = value })
            }
            + [\Vector3.x, \.y, \.z].map { axis in
                .sighting(Self.changed(Self.sighting) { $0.directionInBody[keyPath: axis] = value })
            }
            + Self.places(value).flatMap { place -> [AidMeasurement.Content] in
                [
                    .position(Self.changed(Self.position) { $0.position = place }),
                    .range(Self.changed(Self.range) { $0.beacon = place }),
                    .sighting(Self.changed(Self.sighting) { $0.target = .point(place, hasHeight: false) }),
                ]
            } + [
                .odometry(Self.changed(Self.pose) { $0.tracking = value }),
                .position(Self.changed(Self.position) { $0.horizontalAccuracy = value }),
                .position(Self.changed(Self.position) { $0.verticalAccuracy = value }),
                .sighting(Self.changed(Self.sighting) { $0.standardDeviation = value }),
                .sighting(Self.changed(Self.sighting) { $0.target = .sun(utcSeconds: value) }),
                .range(Self.changed(Self.range) { $0.range = value }),
                .range(Self.changed(Self.range) { $0.standardDeviation = value }),
                .heading(Self.changed(Self.heading) { $0.azimuth = value }),
                .heading(Self.changed(Self.heading) { $0.standardDeviation = value }),
                .height(Self.changed(Self.height) { $0.height = value }),
                .height(Self.changed(Self.height) { $0.standardDeviation = value }),
            ]
        for content in contents { #expect(!Self.holds(content), "\(content)") }
    }

    private static func places(_ value: Double) -> [GeodeticPosition] {
        [\GeodeticPosition.latitudeDegrees, \.longitudeDegrees, \.ellipsoidalHeight].map { coordinate in
            changed(place) { $0[keyPath: coordinate] = value }
        }
    }

    @Test("ends at its bounds, which belong to it or not")
    func bounds() {
        func tracking(_ value: Double) -> Bool {
            Self.holds(.odometry(Self.changed(Self.pose) { $0.tracking = value }))
        }
        #expect(tracking(0) && tracking(1) && !tracking(-0.01) && !tracking(1.01))
        func own(_ value: Double) -> Bool {
            Self.holds(.odometry(Self.changed(Self.pose) { $0.position = Vector3(0, value, 0) }))
        }
        #expect(own(MeasurementRange.ownPosition) && !own(-MeasurementRange.ownPosition - 1))
        func range(_ value: Double) -> Bool { Self.holds(.range(Self.changed(Self.range) { $0.range = value })) }
        #expect(range(0) && range(MeasurementRange.beaconRange) && !range(-0.01))
        func length(_ value: Double) -> Bool {
            Self.holds(.sighting(Self.changed(Self.sighting) { $0.directionInBody = Vector3(value, 0, 0) }))
        }
        #expect(length(1) && length(-1) && !length(0) && !length(0.98) && !length(1.02))
        func utc(_ value: Double?) -> Bool {
            Self.holds(.sighting(Self.changed(Self.sighting) { $0.target = .sun(utcSeconds: value) }))
        }
        #expect(utc(nil) && utc(0) && utc(1.8e9) && !utc(-1) && !utc(MeasurementRange.utcSeconds))
        func azimuth(_ value: Double) -> Bool {
            Self.holds(.heading(Self.changed(Self.heading) { $0.azimuth = value }))
        }
        #expect(azimuth(-.pi) && azimuth(4 * .pi) && !azimuth(13))
    }

    @Test("has no standard deviation of zero or less", arguments: [0, -0.0, -1])
    func deviations(value: Double) {
        #expect(!Self.holds(.position(Self.changed(Self.position) { $0.horizontalAccuracy = value })))
        #expect(!Self.holds(.position(Self.changed(Self.position) { $0.verticalAccuracy = value })))
        #expect(!Self.holds(.sighting(Self.changed(Self.sighting) { $0.standardDeviation = value })))
        #expect(!Self.holds(.range(Self.changed(Self.range) { $0.standardDeviation = value })))
        #expect(!Self.holds(.heading(Self.changed(Self.heading) { $0.standardDeviation = value })))
        #expect(!Self.holds(.height(Self.changed(Self.height) { $0.standardDeviation = value })))
    }
}
