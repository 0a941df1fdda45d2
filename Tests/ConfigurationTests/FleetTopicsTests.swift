import Configuration
import Testing

@Suite("Fleet topics")
struct FleetTopicsTests {
    @Test("Topics of a wearer begin with root and identifier")
    func topicsWearerBeginWith() {
        let topics = FleetTopics(root: "site/north", identifier: "helmet-7")
        #expect(topics.pose == "site/north/helmet-7/pose")
        #expect(topics.state == "site/north/helmet-7/state")
        #expect(topics.event == "site/north/helmet-7/event")
        #expect(topics.health == "site/north/helmet-7/health")
    }

    /// OwnTracks' topics have exactly three parts.
    @Test("OwnTracks topics have three parts for any root")
    func ownTracksTopicsHave() {
        #expect(FleetTopics(root: "waymark", identifier: "a").ownTracks == "owntracks/waymark/a")
        #expect(FleetTopics(root: "site/north", identifier: "a").ownTracks == "owntracks/site-north/a")
    }

    @Test(
        "What could change the topic is no identifier",
        arguments: ["", "a/b", "+", "#", "a b", "ä", "a.b", "$SYS", String(repeating: "x", count: 65), "a\0"])
    func couldChangeTopicNo(_ text: String) {
        #expect(!FleetTopics.isIdentifier(text))
    }

    @Test(
        "Letters digits hyphens and underscores identify a wearer",
        arguments: ["a", "Helmet_7-b", String(repeating: "x", count: 64)])
    func lettersDigitsHyphensUnderscores(_ text: String) {
        #expect(FleetTopics.isIdentifier(text))
    }

    @Test("A root has no empty parts and no wildcards", arguments: ["", "/a", "a/", "a//b", "a/+", "#"])
    func rootHasNoEmpty(_ text: String) {
        #expect(!FleetTopics.isRoot(text))
    }
}
