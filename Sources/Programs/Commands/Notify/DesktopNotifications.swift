import CNotifications
import Glibc

/// Notification server of the desktop, over the session bus.
///
/// Calls block for up to ten seconds. A connection that has ended is re-established for the next notification.
package final class DesktopNotifications {
    /// Reason why nothing can be shown, with the remedy.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        let isDisconnected: Bool

        /// - Parameters:
        ///   - code: negative errno.
        ///   - reason: message of the bus; empty for none.
        init(code: Int32, reason: String = "") {
            isDisconnected = [ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN].contains(-code)
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
    /// Unique bus name of the server that assigned the ids.
    private var owner = ""
    /// Id of the last notification with each key.
    private var shown: [String: UInt32] = [:]

    /// Urgency: normal, between low (0) and critical (2).
    private static let normalUrgency: UInt8 = 1
    /// Maximum number of keys whose ids are kept. When it is reached, all ids are dropped, so the next notification
    /// with a key does not replace the last one.
    private static let maximumShownCount = 1000

    /// Connects, so that a missing bus is detected now; the notification server may start later.
    package init() throws(Failure) { try connect() }

    deinit { disconnect() }

    /// Shows a notification in place of the last one with the same key.
    package func show(_ text: NotificationText, insteadOf key: String) throws(Failure) {
        do throws(Failure) {
            try send(text, key)
        } catch {
            // After another error, such as a timeout, the notification may have been shown nevertheless, so it is not
            // repeated.
            guard error.isDisconnected else { throw error }
            disconnect()
            try connect()
            try send(text, key)
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
        shown.removeAll()
    }

    private func send(_ text: NotificationText, _ key: String) throws(Failure) {
        guard let server else { throw Failure(code: -ENOTCONN) }
        var error = [CChar](repeating: 0, count: Int(CNOTIFICATIONS_ERROR))
        // Another server may have replaced the previous one.
        let markup = cnotifications_has_markup(server, &error)
        guard markup >= 0 else { throw Failure(code: markup, reason: String(characters: error)) }
        forgetIDs(unlessOf: String(cString: cnotifications_owner(server)))
        var id: UInt32 = 0
        let result = text.summary.withCString { summary in
            text.body(hasMarkup: markup == 1).withCString { body in
                var notification = cnotification(
                    summary: summary, body: body, replaces: shown[key] ?? 0, urgency: Self.normalUrgency)
                return cnotifications_show(server, &notification, &id, &error)
            }
        }
        guard result >= 0 else { throw Failure(code: result, reason: String(characters: error)) }
        if shown.count >= Self.maximumShownCount { shown.removeAll() }
        shown[key] = id
    }

    /// Drops the ids that an earlier server has assigned, because these may now belong to other programs'
    /// notifications.
    private func forgetIDs(unlessOf current: String) {
        if current != owner { shown.removeAll() }
        owner = current
    }
}
