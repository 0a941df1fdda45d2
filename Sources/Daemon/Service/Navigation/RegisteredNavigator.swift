import Geometry
import Varlink
import WaymarkInterface

/// The program that finds routes for the daemon, which itself never uses the network.
final class RegisteredNavigator {
    /// Routing service that the navigator uses, in its own words; nil if it does not report one.
    let service: String?
    /// Process and user that have registered the navigator, according to the kernel.
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

    /// Asks for a route; a request that the navigator has not read yet is replaced by the newer one.
    func ask(_ request: SceneInterface.NavigationRequest) {
        stream.offer(EncodedMessage(json: SceneInterface.ServeNavigation.Reply(request: request)))
    }
}
