import Service
import Testing
import WaymarkInterface

@Suite("Authorization of methods that do more than read")
struct AuthorizationTests {
    private let configured = Authorization(userID: 1000, groupID: 2000, aidGroupID: 2001)

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
        #expect(!permits(.changing, 3000, [3000, 1000, 2001]))
        let noOne = Authorization(userID: nil, groupID: nil, aidGroupID: nil)
        #expect(!noOne.permits(.changing, userID: 1000, groupIDs: [2000], ownUserID: 500))
        #expect(!noOne.permits(.aiding, userID: 1000, groupIDs: [2001], ownUserID: 500))
    }

    @Test("root, the daemon's own user and members of the group for aiding may aid, who may change things not by that")
    func aiding() {
        #expect(permits(.aiding, 0) && permits(.aiding, 500) && permits(.aiding, 3000, [7, 2001]))
        #expect(!permits(.aiding, 1000, [2000]))
    }

    @Test("who is connected may read")
    func reading() { #expect(permits(.reading, 3000)) }
}
