import Bridges
import Configuration
import JSON
import Linux
import TestTools
import Testing

@Suite("What gpsd reports of the receiver")
struct ReceiverSourceTests {
    /// A stand-in for gpsd, which sends its clients lines, and the source that reads them.
    private final class Receiver {
        let source: ReceiverSource
        private let reactor: Reactor
        private let server: StreamServer<Void>
        private(set) var requests: [String] = []

        init(device: String = "") throws {
            let reactor = try Reactor()
            self.reactor = reactor
            let listener = try TCPListener(.loopback(port: 0))
            var gnss = Configuration().gnss
            (gnss.host, gnss.port, gnss.device) = ("127.0.0.1", Int(listener.address.port), device)
            let box = Box()
            server = StreamServer(
                reactor, name: "gpsd", limits: .init(line: 4096, unsent: 1 << 20),
                places: ShareLimit(all: 1, ofUser: 1, reserve: 0), state: {},
                handlers: .init(line: { box.receiver?.requests.append(String(decoding: $1, as: UTF8.self)) }))
            source = ReceiverSource(gnss)
            box.receiver = self
            try server.listen(listener)
        }

        private final class Box { weak var receiver: Receiver? }

        /// Waits for the source's request, so that what is sent then is read.
        func connect() -> Bool { settle { !requests.isEmpty } }

        func send(_ line: String) {
            for peer in server.peers { server.send(Array((line + "\r\n").utf8), to: peer) }
        }

        func end() { server.close() }

        func settle(_ condition: () -> Bool) -> Bool { reactor.settle(condition) }
    }

    private static let sky =
        #"{"class":"SKY","device":"/dev/a","hdop":0.9,"satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false},"#
        + #"{"PRN":3,"used":true}]}"#

    @Test("Satellites, dilution and the geoid's height are of the reports; without gpsd the last is kept alone")
    func reports() throws {
        let receiver = try Receiver()
        #expect(receiver.connect())
        #expect(receiver.requests[0].hasPrefix("?WATCH="))
        receiver.send(Self.sky)
        receiver.send(#"{"class":"TPV","device":"/dev/a","altHAE":460,"altMSL":412}"#)
        #expect(receiver.settle { receiver.source.view.geoidSeparation != nil })
        let view = receiver.source.view
        #expect(view.satellites == 2 && view.horizontalDilution == 0.9 && view.geoidSeparation == 48)
        #expect(try JSONReader.read(try #require(view.sky))["satellites"].map { Array($0.elements).count } == 3)
        receiver.end()
        #expect(receiver.settle { receiver.source.view.satellites == nil })
        var kept = ReceiverView()
        kept.geoidSeparation = 48
        #expect(receiver.source.view == kept)
    }

    @Test("A separation is awaited until a fix in three dimensions, or until there is no gpsd")
    func awaited() throws {
        let receiver = try Receiver()
        #expect(receiver.connect())
        receiver.send(#"{"class":"TPV","device":"/dev/a","mode":2,"lat":47,"lon":8}"#)
        receiver.send(Self.sky)
        #expect(receiver.settle { receiver.source.view.satellites == 2 })
        #expect(receiver.source.view.isSeparationAwaited)
        receiver.send(#"{"class":"TPV","device":"/dev/a","mode":3,"lat":47,"lon":8,"altHAE":460}"#)
        #expect(receiver.settle { !receiver.source.view.isSeparationAwaited })
        #expect(receiver.source.view.geoidSeparation == nil)
        let absent = try Receiver()
        #expect(absent.connect())
        absent.end()
        #expect(absent.settle { !absent.source.view.isSeparationAwaited })
    }

    @Test("A report of dilution alone leaves the satellites that are known")
    func dilutionAlone() throws {
        let receiver = try Receiver()
        #expect(receiver.connect())
        receiver.send(Self.sky)
        receiver.send(#"{"class":"SKY","device":"/dev/a","hdop":2.5}"#)
        #expect(receiver.settle { receiver.source.view.horizontalDilution == 2.5 })
        #expect(receiver.source.view.satellites == 2)
    }

    @Test("Reports of another receiver, numbers that cannot be, and what is no report are left out")
    func hostile() throws {
        let receiver = try Receiver(device: "/dev/a")
        #expect(receiver.connect())
        for line in [
            "garbage", "{", "[1,2]", "", #"{"class":"SKY"}"#, #"{"class":7,"device":"/dev/a"}"#,
            #"{"class":"SKY","device":"/dev/b","hdop":1.5,"satellites":[{"PRN":9,"used":true}]}"#,
            #"{"class":"SKY","device":"/dev/a","hdop":-1}"#, #"{"class":"SKY","device":"/dev/a","hdop":1e9}"#,
            #"{"class":"SKY","device":"/dev/a","satellites":"many"}"#,
            #"{"class":"SKY","device":"/dev/a","satellites":[1,null,{"used":"yes"}]}"#,
            #"{"class":"TPV","device":"/dev/a","altHAE":9000,"altMSL":0}"#,
            #"{"class":"TPV","device":"/dev/a","altHAE":460}"#, String(repeating: "[", count: 5000),
        ] { receiver.send(line) }
        receiver.send(#"{"class":"TPV","device":"/dev/a","altHAE":460,"altMSL":470}"#)
        #expect(receiver.settle { receiver.source.view.geoidSeparation == -10 })
        #expect(receiver.source.view.horizontalDilution == nil)
        #expect(receiver.source.view.satellites == 0)
    }
}
