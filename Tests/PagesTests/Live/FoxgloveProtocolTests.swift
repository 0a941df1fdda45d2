import JSON
import Pages
import Testing

@Suite struct FoxgloveProtocolTests {
    private func refusal(_ text: String) -> String? {
        do throws(FoxgloveRequest.Refusal) {
            _ = try FoxgloveRequest(text: Array(text.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test("requests are read, whatever else they contain")
    func requests() throws {
        let subscribe =
            #"{"op":"subscribe","subscriptions":[{"id":0,"channelId":3},{"channelId":1,"id":4294967295,"x":[]}],"y":1}"#
        #expect(
            try FoxgloveRequest(text: Array(subscribe.utf8))
                == .subscribe([.init(identifier: 0, channel: 3), .init(identifier: UInt32.max, channel: 1)]))
        let unsubscribe = #" {"subscriptionIds":[7,7.0],"op":"unsubscribe"} "#
        #expect(try FoxgloveRequest(text: Array(unsubscribe.utf8)) == .unsubscribe([7, 7]))
        #expect(try FoxgloveRequest(text: Array(#"{"op":"subscribe","subscriptions":[]}"#.utf8)) == .subscribe([]))
    }

    @Test(
        "what is no request is refused with its place and the reason",
        arguments: [
            ("", "at byte 0"), ("[]", "an object is needed"), ("{}", "\"op\" is missing"), ("{\"op\":1}", "$.op"),
            (#"{"op":"subscribe"}"#, "\"subscriptions\" is missing"),
            (#"{"op":"subscribe","subscriptions":{}}"#, "an array is needed"),
            (#"{"op":"subscribe","subscriptions":[1]}"#, "$.subscriptions[0]"),
            (#"{"op":"subscribe","subscriptions":[{"id":-1,"channelId":1}]}"#, "$.subscriptions[0].id"),
            (#"{"op":"subscribe","subscriptions":[{"id":1,"channelId":4294967296}]}"#, "from 0 to 4294967295"),
            (#"{"op":"subscribe","subscriptions":[{"id":1.5,"channelId":1}]}"#, "whole number"),
            (#"{"op":"subscribe","subscriptions":[{"id":1e300,"channelId":1}]}"#, "whole number"),
            (#"{"op":"unsubscribe","subscriptionIds":["1"]}"#, "a number is needed"),
            (#"{"op":"getParameters","parameterNames":[]}"#, "'getParameters' is not supported"),
            (#"{"op":"advertise","channels":[]}"#, "this server only sends"),
        ])
    func refusals(text: String, reason: String) throws {
        #expect(try #require(refusal(text)).contains(reason))
    }

    @Test("requests of any size are refused at small cost, and refusals stay short")
    func sizes() throws {
        let number = #"{"id":1,"channelId":1},"#
        let many =
            #"{"op":"subscribe","subscriptions":["#
            + String(repeating: number, count: FoxgloveRequest.maximumSubscriptionCount) + #"{"id":1,"channelId":1}]}"#
        #expect(try #require(refusal(many)).contains("more than 256 elements"))
        #expect(refusal(String(repeating: "[", count: 60_000)) != nil)
        #expect(refusal("{\"op\":[" + String(repeating: "0,", count: 20_000) + "0]}") != nil)
        let long = try #require(refusal("{\"op\":\"" + String(repeating: "é", count: 8000) + "\"}"))
        #expect(long.utf8.count < 300)
        #expect(throws: FoxgloveRequest.Refusal.self) { try FoxgloveRequest(binary: [1, 0, 0, 0, 0]) }
        #expect(throws: FoxgloveRequest.Refusal.self) { try FoxgloveRequest(binary: []) }
    }

    @Test("binary messages are little-endian, with the payload after the header")
    func binary() {
        #expect(
            FoxgloveProtocol.messageData(subscription: 0x0102_0304, time: 0x1112_1314_1516_1718, payload: [0xAA, 0xBB])
                == [1, 4, 3, 2, 1, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, 0xAA, 0xBB])
        #expect(FoxgloveProtocol.time(258) == [2, 2, 1, 0, 0, 0, 0, 0, 0])
    }

    @Test("a connection begins with what the server is and with channels of unique numbers, topics and valid schemas")
    func beginning() throws {
        let info = try JSONReader.read(FoxgloveProtocol.serverInfo(version: "1.2\"3", session: "7-8"))
        #expect(info["op"]?.string == "serverInfo" && info["sessionId"]?.string == "7-8")
        #expect(info["capabilities"]?.elements.map(\.string) == ["time"])
        #expect(info["metadata"]?["waymark"]?.string == "1.2\"3")
        let advertise = try JSONReader.read(FoxgloveProtocol.advertise(FoxgloveChannel.allCases))
        let channels = try Array(advertise.member("channels").array())
        #expect(Set(channels.compactMap { $0["id"]?.number }).count == FoxgloveChannel.allCases.count)
        #expect(
            channels.map { $0["topic"]?.string } == [
                "/pose", "/frame", "/location", "/tf", "/scene/pose", "/map/route", "/map/places", "/status",
                "/scene/placements", "/aid/sources",
            ])
        let own = channels.filter { $0["encoding"]?.string == "json" }
        #expect(own.map { $0["topic"]?.string } == ["/pose", "/frame", "/status", "/aid/sources"])
        for channel in own {
            #expect(channel["schemaEncoding"]?.string == "jsonschema")
            let schema = try JSONReader.read(Array(#require(channel["schema"]?.string).utf8))
            #expect(schema["type"]?.string == "object")
        }
    }

    @Test("a status is a level and a text of any characters, and names what it replaces")
    func status() throws {
        let status = try JSONReader.read(FoxgloveProtocol.status(.error, "a \"b\"\n", identifier: "x"))
        #expect(status["op"]?.string == "status" && status["level"]?.number == 2)
        #expect(status["message"]?.string == "a \"b\"\n" && status["id"]?.string == "x")
        #expect(try JSONReader.read(FoxgloveProtocol.status(.info, ""))["id"] == nil)
    }
}
