import Bridges
import JSON
import Linux
import TestTools
import Testing

/// What is refused by a sentence, and what ends the connection of its sender.
private let hostileRequests: [(bytes: [UInt8], isRefused: Bool)] = [
    ([UInt8](repeating: 0, count: 5000), false),
    ([UInt8](repeating: UInt8(ascii: "?"), count: 5000), false),
    (Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), true),
    (Array(("?WATCH={" + String(repeating: "[", count: 4000) + ";").utf8), true),
    (Array([[0xFF, 0xFE, UInt8(ascii: ";")]].joined()), true),
    (Array(#"?WATCH={"enable":true,"device":"\#(String(repeating: "a", count: 3000))"};"#.utf8), true),
    (Array(#"?WATCH={"enable":true,"device":"\#(String(repeating: "a", count: 9000))"};"#.utf8), false),
]

@Suite("Output for gpsd's clients")
struct GPSDOutputTests {
    private final class Client {
        let connection: LoopbackClient
        private let received = ReceivedLines()
        private(set) var hasEnded = false

        init(_ output: GPSDOutput) { connection = LoopbackClient(port: output.address.port) }

        /// Reports so far.
        var reports: [JSONNode] {
            let bytes = connection.received()
            if bytes == nil { hasEnded = true }
            received.take(bytes)
            return received.lines.compactMap { try? JSONReader.read(Array($0.utf8)) }
        }

        func reports(_ kind: String) -> [JSONNode] { reports.filter { $0["class"]?.string == kind } }

        var kinds: [String] { reports.compactMap { $0["class"]?.string } }

        func watch() { connection.send(#"?WATCH={"enable":true,"json":true};"#) }
    }

    private let scene: BridgeScene

    init() throws { scene = try BridgeScene() }

    private func output(_ receiver: @escaping () -> ReceiverView = { ReceiverView() }) throws -> GPSDOutput {
        try GPSDOutput(
            scene.reactor, at: .loopback(port: 0), rate: 50, version: "1", poses: scene.poses, receiver: receiver)
    }

    @Test("A client is greeted, each request is answered in order, and what is none is refused by a sentence")
    func requests() throws {
        let output = try output()
        let client = Client(output)
        client.connection.send("?DEVICES;?WATCH;?POLL;?VERSION;\r\n?DEVICE;hello;?WATCH={\"device\":\"/dev/ttyS9\"};")
        #expect(scene.settle { client.kinds.count == 8 })
        #expect(
            client.kinds == ["VERSION", "DEVICES", "WATCH", "POLL", "VERSION", "DEVICE", "ERROR", "ERROR"])
        let reports = client.reports
        #expect(reports[0]["proto_major"]?.number == 3)
        #expect(reports[1]["devices"].flatMap { Array($0.elements) }?.first?["path"]?.string == "waymark")
        #expect(reports[2]["enable"]?.bool == false)
        #expect(reports[6]["message"]?.string?.contains("hello") == true)
        #expect(reports[7]["message"]?.string?.contains("waymark") == true)
    }

    @Test("Who watches gets the position of the present, and no fix once poses have stopped")
    func position() throws {
        let output = try output()
        let client = Client(output)
        client.watch()
        #expect(scene.settle { client.reports("TPV").last?["mode"]?.number == 3 && !client.reports("ATT").isEmpty })
        #expect(client.reports("TPV").last?["lat"]?.number == -33.5)
        #expect(client.reports("TPV").last?["lon"]?.number == 151.25)
        scene.isPublishing = false
        #expect(scene.settle { client.reports("TPV").last?["mode"]?.number == 1 })
        #expect(client.reports("TPV").last?["lat"] == nil)
    }

    @Test("Poses are held from the first watching client to the last, and not for one that only asks")
    func holding() throws {
        let output = try output()
        let asking = Client(output)
        asking.connection.send("?POLL;")
        #expect(scene.settle { asking.kinds.contains("POLL") })
        scene.reactor.idle()
        #expect(scene.holders == 0)
        var first: Client? = Client(output)
        let second = Client(output)
        first?.watch()
        second.watch()
        #expect(scene.settle { scene.holders == 1 && second.reports("TPV").last?["mode"]?.number == 3 })
        _ = first?.kinds
        first = nil
        let known = second.reports("TPV").count
        #expect(scene.settle { second.reports("TPV").count > known + 5 })
        #expect(scene.holders == 1)
        second.connection.send(#"?WATCH={"enable":false};"#)
        #expect(scene.settle { scene.holders == 0 })
    }

    @Test("Satellites are sent to who begins to watch, and to all when they change")
    func satellites() throws {
        var view = ReceiverView()
        view.sky = Array(#"{"class":"SKY","satellites":[]}"#.utf8)
        let output = try output { view }
        let client = Client(output)
        client.watch()
        #expect(scene.settle { client.reports("TPV").count >= 10 })
        let known = client.reports("SKY").count
        #expect((1...2).contains(known))
        view.sky = Array(#"{"class":"SKY","satellites":[{"PRN":1,"used":true}]}"#.utf8)
        #expect(scene.settle { client.reports("SKY").count == known + 1 })
        let count = client.reports("TPV").count
        #expect(scene.settle { client.reports("TPV").count >= count + 10 })
        #expect(client.reports("SKY").count == known + 1)
        #expect(client.reports("SKY").last?["satellites"].map { Array($0.elements).count } == 1)
    }

    @Test(
        "Hostile bytes are refused or end the connection of their sender, and others are served",
        arguments: hostileRequests)
    func hostile(bytes: [UInt8], isRefused: Bool) throws {
        let output = try output()
        let (good, bad) = (Client(output), Client(output))
        bad.connection.send(bytes)
        #expect(scene.settle { bad.kinds.contains("ERROR") == isRefused && bad.hasEnded == !isRefused })
        good.watch()
        #expect(scene.settle { good.reports("TPV").last?["mode"]?.number == 3 })
    }

    @Test("As many clients are served as by gpsd itself, and places become free")
    func crowd() throws {
        let output = try output()
        var crowd = (0..<64).map { _ in Client(output) }
        for client in crowd { client.watch() }
        #expect(scene.settle { crowd.allSatisfy { $0.kinds.contains("WATCH") } })
        let late = Client(output)
        #expect(scene.settle { late.kinds.isEmpty && late.hasEnded })
        crowd.removeLast()
        // The place is free once the end of the other was seen.
        #expect(
            scene.settle {
                let next = Client(output)
                return scene.settle { next.kinds == ["VERSION"] || next.hasEnded } && !next.hasEnded
            })
    }
}
