import CNotifications
import Glibc

/// Notification server of the desktop, over the session bus.
///
/// Calls block for up to ten seconds. A connection that has ended is made anew with the next notification.
package final class DesktopNotifications {
    /// Why nothing can be shown; the text says what to do.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        /// - Parameters:
        ///   - code: negative errno.
        ///   - reason: what the bus says; empty for nothing.
        init(code: Int32, reason: String = "") {
            let cause = reason.isEmpty ? String(cString: strerror(-code)!) : reason
            if reason.isEmpty, [ENOMEDIUM, ENOENT, ECONNREFUSED, ENXIO, EINVAL].contains(-code) {
                description =
                    "no session bus (\(cause)): run it in a desktop session, or as `systemctl --user start "
                    + "waymark-notify`; elsewhere set DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/UID/bus"
            } else if -code == EHOSTUNREACH {
                description =
                    "no program shows notifications on the session bus (\(cause)): start that of the desktop, or install "
                    + "one such as dunst or mako-notifier"
            } else {
                description = "the notification cannot be shown: \(cause)"
            }
        }
    }

    private var server: OpaquePointer?

    /// Connects, so that a missing bus shows at once; a server that is missing may come later.
    package init() throws(Failure) { try connect() }

    deinit { disconnect() }

    /// Shows a notification in place of the one with the id `replaced`, and returns its id.
    package func show(_ text: NotificationText, replacing replaced: UInt32) throws(Failure) -> UInt32 {
        do throws(Failure) {
            return try send(text, replaced)
        } catch {
            // The session may have begun anew; of a server that refuses, the second answer is as good.
            disconnect()
            try connect()
            return try send(text, replaced)
        }
    }

    private func connect() throws(Failure) {
        var made: OpaquePointer?
        let result = cnotifications_open(&made)
        guard result >= 0 else { throw Failure(code: result) }
        server = made
    }

    private func disconnect() {
        if let server { cnotifications_close(server) }
        server = nil
    }

    private func send(_ text: NotificationText, _ replaced: UInt32) throws(Failure) -> UInt32 {
        guard let server else { throw Failure(code: -ENOTCONN) }
        var error = [CChar](repeating: 0, count: Int(CNOTIFICATIONS_ERROR))
        // Another server may have taken the place of the one before.
        let markup = cnotifications_has_markup(server, &error)
        guard markup >= 0 else { throw Failure(code: markup, reason: Self.text(error)) }
        var id: UInt32 = 0
        let result = text.summary.withCString { summary in
            text.body(hasMarkup: markup == 1).withCString { body in
                var notification = cnotification(
                    summary: summary, body: body, replaces: replaced, urgency: text.urgency.rawValue)
                return cnotifications_show(server, &notification, &id, &error)
            }
        }
        guard result >= 0 else { throw Failure(code: result, reason: Self.text(error)) }
        return id
    }

    private static func text(_ error: [CChar]) -> String {
        String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
