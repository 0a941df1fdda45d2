import Fleet
import JSON
import Testing

@Suite("Message head")
struct MessageHeadTests {
    private let second: Int64 = 1_000_000_000
    /// 2026-06-21T00:00:00Z. Unit: ns.
    private let midsummer: Int64 = 1_782_000_000_000_000_000
    private let body = Array(#""state":"localized""#.utf8)

    private func head(time: Int64, sent: Int64, quality: ClockReading.Quality = .gnss) -> MessageHead {
        MessageHead(
            sequence: 7, time: time, clock: ClockReading(offset: midsummer, quality: quality), sent: midsummer + sent)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("A message that is sent at once has time, clock and sequence before its members")
    func messageSentOnceHas() {
        let message = head(time: 5 * second, sent: 5 * second + 1000).message(body)
        #expect(
            text(message)
                == #"{"time":"2026-06-21T00:00:05.000000Z","clock":"gnss","sequence":7,"state":"localized"}"#)
    }

    @Test("A message that is sent late states its delay")
    func messageSentLateSays() {
        let message = head(time: 5 * second, sent: 65 * second, quality: .system).message(body)
        #expect(
            text(message)
                == #"{"time":"2026-06-21T00:00:05.000000Z","clock":"system","sequence":7,"late":60.0,"state":"localized"}"#
        )
    }

    @Test("OwnTracks has whole seconds and says when a late message was sent")
    func ownTracksHasWhole() {
        let lat = Array(#""lat":1"#.utf8)
        #expect(
            text(head(time: second, sent: second).ownTracksMessage(lat))
                == #"{"_type":"location","tst":1782000001,"lat":1}"#)
        #expect(
            text(head(time: second, sent: 100 * second).ownTracksMessage(lat))
                == #"{"_type":"location","tst":1782000001,"created_at":1782000100,"lat":1}"#)
    }

    @Test("A message of an earlier run of the computer is always late, though the clocks may contradict that")
    func earlierRun() {
        var head = head(time: 65 * second, sent: 5 * second)
        head.isOfEarlierRun = true
        #expect(head.delay == 0)
    }

    @Test("A body without members leaves an object")
    func bodyWithoutMembersLeaves() throws {
        let message = head(time: 0, sent: 0).message([])
        #expect(text(message).hasSuffix(#""sequence":7}"#))
    }

    @Test("A clock is improved by a better one and by one as good that differs")
    func clockImprovedBetterOne() {
        let clock = ClockReading(offset: midsummer, quality: .system)
        #expect(clock.isImproved(by: ClockReading(offset: 0, quality: .gnss)))
        #expect(!clock.isImproved(by: ClockReading(offset: 0, quality: .unsynchronized)))
        #expect(!clock.isImproved(by: ClockReading(offset: midsummer + 5_000_000, quality: .system)))
        #expect(clock.isImproved(by: ClockReading(offset: midsummer + second, quality: .system)))
    }
}
