import Testing
import Web

@Suite("Access token")
struct AccessTokenTests {
    @Test("each random one is new, and long enough to be secret")
    func random() {
        let tokens = (0..<1000).map { _ in AccessToken().text }
        #expect(Set(tokens).count == tokens.count)
        #expect(tokens.allSatisfy { $0.utf8.count == 32 && AccessToken($0) != nil })
    }

    @Test(
        "a given one has a length and characters that an address carries",
        arguments: ["", "fifteen-letters", String(repeating: "x", count: 129), "with some spaces", "sixteen&letters?"])
    func refused(text: String) { #expect(AccessToken(text) == nil) }

    @Test("itself alone matches")
    func matching() throws {
        let token = try #require(AccessToken("sixteen_letters-"))
        #expect(token.matches("sixteen_letters-"))
        for other in ["", "sixteen_letters", "sixteen_letters--", "Sixteen_letters-", "sixteen_letters_"] {
            #expect(!token.matches(other))
        }
    }
}
