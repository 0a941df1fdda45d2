import Geometry
import Scene
import WaymarkInterface

extension Route {
    /// Destination of the route; nil for a route that was loaded from a document.
    package var destinationMessage: SceneInterface.Destination? {
        guard let guidance else { return nil }
        let destination = guidance.destination
        var message = SceneInterface.Destination(
            name: destination.name, place: destination.place,
            geo: SceneInterface.Location(
                latitude: destination.position.latitudeDegrees, longitude: destination.position.longitudeDegrees),
            profile: destination.profile, foundBy: .known(.straightLine), remainder: remainder)
        if case .navigator(let service) = guidance.finder {
            (message.foundBy, message.service) = (.known(.navigator), service)
        }
        return message
    }
}
