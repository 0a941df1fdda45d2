import Bridges
import Configuration
import Linux
import TestTools
import Testing

@Suite("Bridge as it is configured")
struct BridgeTests {
    private let folder = ScratchFolder()

    private func settings(_ change: (inout Configuration.Bridge) -> Void) -> Configuration {
        var settings = Configuration()
        settings.gnss.enabled = false
        settings.service.socket = folder.path + "/waymark.sock"
        settings.service.poseRingSocket = folder.path + "/ring"
        change(&settings.bridge)
        return settings
    }

    private func problem(_ change: (inout Configuration.Bridge) -> Void) -> Bridge.Problem? {
        do {
            _ = try Bridge(settings(change), version: "1")
            return nil
        } catch {
            return error as? Bridge.Problem
        }
    }

    @Test("Without an output it says how to turn one on")
    func off() throws {
        let problem = try #require(problem { _ in })
        #expect(problem.isOfSettings)
        #expect(problem.description.contains("no output is turned on"))
        #expect(problem.description.contains("--gpsd 127.0.0.1:2948"))
    }

    @Test(
        "Addresses that other computers reach have to be permitted",
        arguments: [\Configuration.Bridge.gpsd, \.nmeaTCP, \.openTrack, \.mavlink, \.metrics])
    func remote(_ key: WritableKeyPath<Configuration.Bridge, String> & Sendable) throws {
        for address in ["0.0.0.0:2948", "192.0.2.1:4242", "[::]:80"] {
            let problem = try #require(problem { $0[keyPath: key] = address })
            #expect(problem.isOfSettings && problem.description.contains("--allow-remote"), "\(address)")
        }
    }

    @Test("What is no address is named with its setting")
    func address() throws {
        for address in ["localhost", "example.org:80", "127.0.0.1", "127.0.0.1:99999"] {
            let problem = try #require(problem { $0.gpsd = address })
            #expect(problem.isOfSettings, "\(address)")
            #expect(problem.description.hasPrefix("bridge.gpsd: '\(address)'"))
        }
    }

    @Test("An output that cannot start is named, and ends nothing while another works")
    func taken() throws {
        let other = try TCPListener(.loopback(port: 0))
        let problem = try #require(problem { $0.gpsd = "\(other.address)" })
        #expect(!problem.isOfSettings && problem.description.contains("Address already in use"))
        let bridge = try Bridge(
            settings {
                $0.gpsd = "\(other.address)"
                $0.nmeaTCP = "127.0.0.1:0"
            }, version: "1")
        #expect(bridge.statusLine.contains("not started: listen at \(other.address): Address already in use"))
        #expect(bridge.statusLine.contains("NMEA 0183 at 127.0.0.1:"))
    }
}
