import Linux
import Testing

@Suite("Shares of users")
struct UserSharesTests {
    private static let limit = ShareLimit(all: 8, ofUser: 4, reserve: 2, privilegedUsers: [0])

    @Test("a user has a share, others have the rest, and the last ones are for the privileged")
    func places() {
        var places = SharedPlaces(Self.limit)
        for _ in 0..<4 { #expect(places.take(1) == nil) }
        #expect(places.take(1) == .ofUser(4))
        for _ in 0..<2 { #expect(places.take(2) == nil) }
        #expect(places.take(2) == .all(6))
        for _ in 0..<2 { #expect(places.take(0) == nil) }
        #expect(places.take(0) == .all(8))
        places.giveBack(1)
        #expect(places.take(0) == nil)
        #expect(places.held.total == 8)
    }

    @Test("equal values count once, each in the shares of all who use it")
    func values() {
        var used: [(user: UInt32, value: Int)] = [(1, 10), (1, 10), (1, 20), (1, 30), (1, 40)]
        #expect(Self.limit.reached(by: 1, 10, used: used) == nil)
        #expect(Self.limit.reached(by: 1, 50, used: used) == .ofUser(4))
        #expect(Self.limit.reached(by: 2, 50, used: used) == nil)
        used += [(2, 50), (2, 60)]
        #expect(Self.limit.reached(by: 3, 70, used: used) == .all(6))
        // It costs nothing more.
        #expect(Self.limit.reached(by: 3, 60, used: used) == nil)
        #expect(Self.limit.reached(by: 1, 60, used: used) == .ofUser(4))
        #expect(Self.limit.reached(by: 0, 70, used: used) == nil)
    }

    @Test(
        "what a user does not use makes room for others, but not where more is held, and what is root's for root alone")
    func yielding() {
        let limit = ShareLimit(all: 8, ofUser: 4, reserve: 2, privilegedUsers: [0])
        #expect(limit.yields(1, to: 2, total: 6, own: 3) && limit.yields(2, to: 2, total: 6, own: 4))
        #expect(!limit.yields(1, to: 2, total: 6, own: 4), "the share of the user is taken all the same")
        #expect(!limit.yields(1, to: 2, total: 7, own: 1), "root holds of the others' part")
        #expect(!limit.yields(0, to: 2, total: 6, own: 1))
        #expect(limit.yields(0, to: 0, total: 8, own: 2) && limit.yields(1, to: 0, total: 8, own: 2))
    }

    @Test("the reserve is a quarter at most")
    func small() {
        #expect(ShareLimit(all: 1, ofUser: 1, reserve: 8).reached(by: 1, UserShares()) == nil)
        #expect(ShareLimit(all: 8, ofUser: 8, reserve: 8).reserve == 2)
    }
}
