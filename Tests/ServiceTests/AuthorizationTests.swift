import Service
import Testing
import WaymarkInterface

@Suite("Authorization of methods that do more than read")
struct AuthorizationTests {
    private let configured = Authorization(userID: 1000, groupID: 2000)

    private func permits(_ right: MethodTraits.Right, _ user: UInt32, _ groups: [UInt32] = []) -> Bool {
        configured.permits(right, userID: user, groupIDs: groups, ownUserID: 500)
    }

    @Test("root, the daemon's own user, the configured user and members of the configured group may change things")
    func permitted() {
        #expect(permits(.changing, 0) && permits(.changing, 500) && permits(.changing, 1000))
        #expect(permits(.changing, 3000, [7, 2000]))
    }

    @Test("everybody else may not")
    func refused() {
        #expect(!permits(.changing, 3000, [3000, 1000]))
        let noOne = Authorization(userID: nil, groupID: nil)
        #expect(!noOne.permits(.changing, userID: 1000, groupIDs: [2000], ownUserID: 500))
    }

    @Test("who is connected may read")
    func reading() { #expect(permits(.reading, 3000)) }
}
