import Service
import Testing

@Suite("Authorization of changing methods")
struct AuthorizationTests {
    private let configured = Authorization(userID: 1000, groupID: 2000)

    @Test("root, the daemon's own user, the configured user and members of the configured group may change things")
    func permitted() {
        #expect(configured.permitsChange(userID: 0, groupIDs: [], ownUserID: 500))
        #expect(configured.permitsChange(userID: 500, groupIDs: [], ownUserID: 500))
        #expect(configured.permitsChange(userID: 1000, groupIDs: [], ownUserID: 500))
        #expect(configured.permitsChange(userID: 3000, groupIDs: [7, 2000], ownUserID: 500))
    }

    @Test("everybody else may not")
    func refused() {
        #expect(!configured.permitsChange(userID: 3000, groupIDs: [3000, 1000], ownUserID: 500))
        let noOne = Authorization(userID: nil, groupID: nil)
        #expect(!noOne.permitsChange(userID: 1000, groupIDs: [2000], ownUserID: 500))
    }
}
