import Geometry
import Messages
import Model
import WaymarkInterface

/// Call that offers a measurement.
package protocol AidOffer {
    static var kind: AidInterface.AidKind { get }
    /// Name of the parameter to report if the measurement as a whole is out of range.
    static var mainField: String { get }
    var source: String { get }
    var time: AidInterface.Time { get }
    /// Returns the content of the measurement, given where the sensor is mounted on the board.
    func content(_ mount: AidSensorMount) throws(AidInterface.Failure) -> AidMeasurement.Content
}

extension AidInterface.OfferOdometry: AidOffer {
    package static var kind: AidInterface.AidKind { .odometry }
    package static var mainField: String { "position" }

    package func content(_ mount: AidSensorMount) throws(AidInterface.Failure) -> AidMeasurement.Content {
        let board = mount.board(
            position: Vector3(position), rotationOwnFromSensor: try Rotation3(orientation, "orientation"))
        guard let reset = UInt32(exactly: reset ?? 0) else { throw .outOfRange(field: "reset") }
        let tracking = tracking ?? 1
        guard (0...1).contains(tracking) else { throw .outOfRange(field: "tracking") }
        return .odometry(
            OdometryPose(
                position: board.position, rotationOwnFromBody: board.rotationOwnFromBody, reset: reset,
                tracking: tracking))
    }
}

extension AidInterface.OfferPosition: AidOffer {
    package static var kind: AidInterface.AidKind { .position }
    package static var mainField: String { "position" }

    package func content(_ mount: AidSensorMount) throws(AidInterface.Failure) -> AidMeasurement.Content {
        .position(
            OfferedPosition(
                position: try GeodeticPosition(position, "position"), hasHeight: position.height != nil,
                horizontalAccuracy: try metres(horizontalAccuracy, "horizontalAccuracy"),
                verticalAccuracy: try metres(verticalAccuracy ?? 2 * horizontalAccuracy, "verticalAccuracy")))
    }
}

extension AidInterface.OfferSighting: AidOffer {
    package static var kind: AidInterface.AidKind { .sighting }
    package static var mainField: String { "point" }

    package func content(_ mount: AidSensorMount) throws(AidInterface.Failure) -> AidMeasurement.Content {
        let direction = Vector3(direction)
        guard (0.99...1.01).contains(direction.norm), let direction = direction.normalized else {
            throw .outOfRange(field: "direction")
        }
        return .sighting(
            Sighting(
                target: try target(), directionInBody: mount.directionInBody(direction),
                standardDeviation: try radians(accuracy, "accuracy")))
    }

    private func target() throws(AidInterface.Failure) -> Sighting.Target {
        switch (point, sun ?? false) {
        case (let point?, false): .point(try GeodeticPosition(point, "point"), hasHeight: point.height != nil)
        case (nil, true): .sun(utcSeconds: nil)
        // The call has both a point and the sun, or neither.
        default: throw .outOfRange(field: "point")
        }
    }
}

extension AidInterface.OfferRange: AidOffer {
    package static var kind: AidInterface.AidKind { .range }
    package static var mainField: String { "beacon" }

    package func content(_ mount: AidSensorMount) throws(AidInterface.Failure) -> AidMeasurement.Content {
        guard (0...MeasurementRange.beaconRange).contains(range) else { throw .outOfRange(field: "range") }
        let place = AidInterface.Location(
            latitude: beacon.latitude, longitude: beacon.longitude, height: beacon.height)
        return .range(
            BeaconRange(
                beacon: try GeodeticPosition(place, "beacon"), range: range,
                standardDeviation: try metres(accuracy, "accuracy")))
    }
}

extension AidInterface.OfferHeading: AidOffer {
    package static var kind: AidInterface.AidKind { .heading }
    package static var mainField: String { "heading" }

    package func content(_ mount: AidSensorMount) throws(AidInterface.Failure) -> AidMeasurement.Content {
        .heading(
            OfferedHeading(
                azimuth: heading * .pi / 180, standardDeviation: try radians(accuracy, "accuracy")))
    }
}

extension AidInterface.OfferHeight: AidOffer {
    package static var kind: AidInterface.AidKind { .height }
    package static var mainField: String { "height" }

    package func content(_ mount: AidSensorMount) throws(AidInterface.Failure) -> AidMeasurement.Content {
        .height(OfferedHeight(height: height, standardDeviation: try metres(accuracy, "accuracy")))
    }
}

extension AidOffer {
    /// Returns an accuracy in metres; throws if it is not positive, or too large to carry information.
    fileprivate func metres(_ accuracy: Double, _ field: String) throws(AidInterface.Failure) -> Double {
        guard accuracy > 0, accuracy < MeasurementRange.standardDeviation else { throw .outOfRange(field: field) }
        return accuracy
    }

    /// Converts an accuracy from degrees to radians; throws if it is not positive, or more than half a turn.
    fileprivate func radians(_ degrees: Double, _ field: String) throws(AidInterface.Failure) -> Double {
        guard degrees > 0, degrees <= 180 else { throw .outOfRange(field: field) }
        return degrees * .pi / 180
    }
}

extension GeodeticPosition {
    fileprivate init(_ message: AidInterface.Location, _ field: String) throws(AidInterface.Failure) {
        guard
            let position = GeodeticPosition(
                latitudeDegrees: message.latitude, longitudeDegrees: message.longitude,
                ellipsoidalHeight: message.height ?? 0)
        else { throw .outOfRange(field: field) }
        self = position
    }
}
