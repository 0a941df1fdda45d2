import Glibc
import Linux

/// Reason why a server cannot start, with the remedy.
package enum WebServerError: Error, Hashable, Sendable {
    case libraryMissing(reason: String)
    case addressInUse(NetworkAddress)
    /// The port is reserved for privileged programs.
    case permissionDenied(NetworkAddress)
    /// The address does not belong to this machine.
    case noSuchHost(NetworkAddress)
    case failed(NetworkAddress, reason: String)

    init(_ address: NetworkAddress, _ error: SystemError) {
        switch error.code {
        case EADDRINUSE: self = .addressInUse(address)
        case EACCES, EPERM: self = .permissionDenied(address)
        case EADDRNOTAVAIL, EAFNOSUPPORT: self = .noSuchHost(address)
        default: self = .failed(address, reason: error.description)
        }
    }
}

extension WebServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .libraryMissing(let reason):
            "pages cannot be served without libwebsockets (\(reason)): install it with `sudo apt-get install "
                + "libwebsockets17` (Debian 12) or `sudo apt-get install libwebsockets19t64` (Debian 13)"
        case .addressInUse(let address):
            "\(address) is in use: `sudo ss -tlnp sport = :\(address.port)` shows by which program; end that, or "
                + "choose another port"
        case .permissionDenied(let address):
            "permission denied for \(address): choose a port from 1024 on; lower ones need CAP_NET_BIND_SERVICE"
        case .noSuchHost(let address):
            "this machine has no address \(address.host): `ip address` lists those that it has"
        case .failed(let address, let reason): "cannot serve \(address): \(reason)"
        }
    }
}
