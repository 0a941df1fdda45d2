import Scene

extension Setting {
    static let placements: [Setting] = section(.placements, \.scene.placements, requiresRestart: false) {
        [
            $0.number(
                "size_near_m", \.sizeNearMetres, 0.1...100_000,
                "Distance up to which a mark has its full apparent size."),
            $0.number(
                "size_far_m", \.sizeFarMetres, 0.1...100_000,
                "Distance from which a mark has its minimum apparent size; in between, the size decreases linearly."),
            $0.number("least_size", \.minimumSize, 0.01...1, "Minimum apparent size relative to the full size."),
            $0.number("mark_degrees", \.markDegrees, 0.1...45, "Apparent angular size of a mark of full size."),
            $0.number(
                "display_base_m", \.displayBaseMetres, 0.5...1000,
                "Minimum drawing distance of places that are farther away."),
            $0.number(
                "display_share", \.displayShare, 0...1,
                "Additional drawing distance per metre of true distance, so that nearer places stay in front."),
            $0.number("pulse_seconds", \.pulseSeconds, 0.1...60, "Pulse period of the destination mark."),
            $0.number("pulse_opacity", \.pulseOpacity, 0...1, "Minimum opacity of the pulse; the maximum is 1."),
            $0.number("pulse_scale", \.pulseScale, 1...10, "Maximum size of the pulse; the minimum is 1."),
            $0.number(
                "hint_inset", \.hintInset, 0...0.45,
                "Margin between hints and the border of the display, relative to its height."),
            $0.whole(
                "most_hints", \.maximumHintCount, 0...16,
                "Maximum number of hints on the border of a display, unless set by the client; further ones are "
                    + "counted at the hint in their direction."),
            $0.number(
                "hint_spacing", \.hintSpacing, 0...0.5,
                "Minimum spacing of hints along the border, relative to the display height."),
            $0.number(
                "behind_enter_degrees", \.behindEnterDegrees, 0...90,
                "Angle from straight behind within which the hint of a placement moves to the bottom."),
            $0.number(
                "behind_leave_degrees", \.behindLeaveDegrees, 0...90,
                "Angle from straight behind beyond which the hint leaves the bottom."),
            $0.number("head_locked_m", \.headLockedMetres, 0.1...100, "Drawing distance of head-locked placements."),
            $0.number(
                "radar_m", \.radarMetres, 1...100_000, "Range of the radar; farther placements are on its border."),
            $0.number(
                "pick_degrees", \.pickDegrees, 0...45,
                "Tolerance around a placement's own size within which a ray hits it."),
            $0.number(
                "eye_height_m", \.eyeHeightMetres, 0...3,
                "Eye height above the ground, for placements with a height above ground."),
            $0.whole(
                "most_placements", \.maximumPlacementCount, 16...4096,
                "Maximum number of placements in a scene; the least important ones are omitted."),
        ]
    }

    static let labels: [Setting] = section(.labels, \.scene.labels, requiresRestart: false) {
        [
            $0.number(
                "width_degrees", \.widthDegrees, 0.1...90,
                "Apparent width of a label, unless set by the client; labels closer together than this are stacked."),
            $0.number(
                "height_degrees", \.heightDegrees, 0.1...45, "Apparent height of a label, unless set by the client."),
            $0.number(
                "lowest_degrees", \.lowestDegrees, -45...45,
                "Elevation of the lowest label slot; marks of full size at eye level are below it."),
            $0.number(
                "slot_degrees", \.slotDegrees, 0.1...45,
                "Vertical spacing of slots; for labels of another size the gap between two is the same."),
            $0.whole("slots", \.slots, 1...64, "Number of stacked slots; a label without a free slot is not shown."),
            $0.number(
                "patience_seconds", \.patienceSeconds, 0...60,
                "Time for which a better slot must have been free before a label moves to it."),
        ]
    }

    static let announcements: [Setting] = section(.announcements, \.scene.announcements, requiresRestart: false) {
        [
            $0.numbers(
                "distances_m", \.distancesMetres, "1 to 8 numbers from 1 to 10000, descending",
                SettingChecks.fallingDistances,
                "Distances before a turn or the destination at which it is announced, once each."),
            $0.number(
                "least_interval_seconds", \.minimumIntervalSeconds, 0...600,
                "Minimum interval between announcements, except for updates of the same one."),
            $0.number(
                "side_yaw_degrees", \.sideYawDegrees, 0...180, "Heading accuracy required to announce left and right."),
        ]
    }

    static let language: [Setting] = section(.announcements, \.announcements, requiresRestart: false) {
        [
            $0.choice(
                "language", \.language,
                "Language of announcements and labels for clients that ask for none, or for one that is not among "
                    + "these.")
        ]
    }

    static let anchors: [Setting] = section(.anchors, \.scene.anchors, requiresRestart: false) {
        [
            $0.whole("most_per_client", \.maximumCountPerClient, 1...1024, "Maximum number of anchors per client."),
            $0.whole("most", \.maximumCount, 1...4096, "Maximum number of anchors of all clients."),
            $0.number(
                "hold_sigmas", \.holdSigmas, 0.5...100,
                "Position difference, in standard deviations, above which an anchor with the policy hold is moved to "
                    + "its geographic position."),
        ]
    }
}
