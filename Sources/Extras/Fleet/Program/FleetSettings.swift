import Configuration
import Glibc
import Linux

/// Settings of section `mqtt`, combined with the service manager's credentials.
package struct FleetSettings {
    /// Reason why the settings are insufficient, with the remedy.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    let topics: FleetTopics
    let brokers: [BrokerAddress]
    let access: BrokerAccess
    let privacy: PositionPrivacy
    let poseRate: PublishingRate
    let ownTracksRate: PublishingRate

    /// Problem reported while `mqtt.publish` is off.
    package static let noConsent =
        "nothing is published before the wearer has agreed to it: set mqtt.publish = true in \(Configuration.systemFile)"

    /// - Parameters:
    ///   - section: the settings, each individually valid.
    ///   - isCheck: whether the settings are only checked, which needs no consent.
    package init(_ section: Configuration.MQTT, isCheck: Bool = false) throws(Problem) {
        guard section.publish || isCheck else { throw Problem(Self.noConsent) }
        brokers = try Self.brokers(section)
        topics = FleetTopics(root: section.topic, identifier: try Self.identifier(section))
        access = try Self.access(section, topics.identifier, isEncrypted: brokers.contains { $0.isEncrypted })
        do throws(PrivateArea.Problem) {
            privacy = PositionPrivacy(
                gridMetres: section.gridMetres, areas: try PrivateArea.list(section.privateAreas))
        } catch {
            throw Problem("mqtt.private_areas \(error)")
        }
        owner = [topics.root, topics.identifier, "\(section.gridMetres)", section.privateAreas].joined(separator: " ")
        poseRate = PublishingRate(
            interval: 1 / section.poseRateHz, minimumMovement: section.poseMinimumMetres,
            stillInterval: section.stillIntervalSeconds)
        ownTracksRate = PublishingRate(
            interval: section.ownTracksIntervalSeconds, minimumMovement: section.ownTracksMinimumMetres,
            stillInterval: section.stillIntervalSeconds)
    }

    /// Identifies the wearer and the privacy settings of messages. Messages that were still waiting when one of these
    /// changed are not published.
    let owner: String

    /// Summary for the user of what is published, and where.
    package var summary: String {
        let brokers = brokers.map(\.description).joined(separator: ", ")
        return "\(topics.identifier) publishes below \(topics.root)/\(topics.identifier) at \(brokers)"
    }

    private static func brokers(_ section: Configuration.MQTT) throws(Problem) -> [BrokerAddress] {
        let brokers: [BrokerAddress]
        do throws(BrokerAddress.Problem) {
            brokers = try BrokerAddress.list(section.brokers)
        } catch {
            throw Problem("mqtt.brokers \(error)")
        }
        guard !brokers.isEmpty else {
            throw Problem("no broker is named: set mqtt.brokers = \"mqtts://HOST:8883\" in \(Configuration.systemFile)")
        }
        let open = brokers.first { !$0.isEncrypted && !$0.isLoopback }
        guard let open, !section.allowUnencrypted else { return brokers }
        throw Problem(
            "mqtt.brokers: \(open) is not encrypted, and positions are personal data: use mqtts://, or permit it by "
                + "mqtt.allow_unencrypted = true")
    }

    private static func identifier(_ section: Configuration.MQTT) throws(Problem) -> String {
        guard section.id.isEmpty else { return section.id }
        guard let machine = MachineIdentifier.derived(for: application) else {
            throw Problem("this computer has no machine-id: set mqtt.id in \(Configuration.systemFile)")
        }
        return String(machine.prefix(16))
    }

    /// Random UUID of version 4. The identifier of the wearer is derived from it and the machine-id, because the
    /// machine-id itself must not leave the computer.
    private static let application: [UInt8] = [
        0x8c, 0x1f, 0x53, 0x0e, 0x77, 0x2b, 0x4d, 0x0a, 0xb1, 0x36, 0x9d, 0x5a, 0x40, 0xe2, 0x6c, 0x91,
    ]

    private static func access(
        _ section: Configuration.MQTT, _ identifier: String, isEncrypted: Bool
    ) throws(Problem) -> BrokerAccess {
        let credentials = Credentials(folder: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) })
        var access = BrokerAccess(clientIdentifier: identifier)
        do throws(WholeFile.Unreadable) {
            access.username = section.username.isEmpty ? try credentials.text(.username) : section.username
            access.password = try credentials.text(.password)
        } catch {
            throw Problem("the credentials waymark-mqtt.username and waymark-mqtt.password cannot be read: \(error)")
        }
        guard access.password == nil || access.username != nil else {
            throw Problem(
                "there is a password without a user name: set mqtt.username, or the credential waymark-mqtt.username")
        }
        guard isEncrypted else { return access }
        access.authorityFile = try file(section.authorityFile, "authority_file") ?? credentials.path(.authority)
        access.certificateFile = try file(section.certificateFile, "certificate_file") ?? credentials.path(.certificate)
        access.keyFile = try file(section.keyFile, "key_file") ?? credentials.path(.key)
        guard (access.certificateFile == nil) == (access.keyFile == nil) else {
            throw Problem(
                "a certificate needs its private key, and a key its certificate: give both, as mqtt.certificate_file and "
                    + "mqtt.key_file or as the credentials waymark-mqtt.certificate and waymark-mqtt.key")
        }
        return access
    }

    /// Returns the file named by a setting; nil if it names none.
    private static func file(_ path: String, _ key: String) throws(Problem) -> String? {
        guard !path.isEmpty else { return nil }
        guard Glibc.access(path, R_OK) == 0 else {
            throw Problem("mqtt.\(key): \(path) cannot be read: \(SystemError("read", code: errno).description)")
        }
        return path
    }
}
