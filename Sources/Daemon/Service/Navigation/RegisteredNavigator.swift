import Geometry
import Varlink
import WaymarkInterface

/// The program that finds routes for the daemon, which itself never uses the network.
final class RegisteredNavigator {
    /// What it asks for routes, in its own words; nil where it says nothing.
    let service: String?
    /// Process and user that have registered it, as the kernel has them.
    let process: Int
    let user: Int
    let stream: ReplyStream

    init(_ stream: ReplyStream, service: String?, process: Int, user: Int) {
        self.stream = stream
        self.service = service
        self.process = process
        self.user = user
        stream.offer(EncodedMessage(json: SceneInterface.ServeNavigation.Reply(request: nil)))
    }

    /// Asks for a route; one that it has not read yet gives way to the newer one.
    func ask(_ request: SceneInterface.NavigationRequest) {
        stream.offer(EncodedMessage(json: SceneInterface.ServeNavigation.Reply(request: request)))
    }
}
