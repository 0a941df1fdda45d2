import Scene

extension Setting {
    static let placements: [Setting] = [
        Setting(
            .placements, "size_near_m", .number(\.scene.placements.sizeNearMetres, 0.1...100_000), unit: "m",
            requiresRestart: false,
            "Distance up to which a mark has its full apparent size."),
        Setting(
            .placements, "size_far_m", .number(\.scene.placements.sizeFarMetres, 0.1...100_000), unit: "m",
            requiresRestart: false,
            "Distance from which a mark has its minimum apparent size; in between, the size decreases linearly."),
        Setting(
            .placements, "least_size", .number(\.scene.placements.minimumSize, 0.01...1), requiresRestart: false,
            "Minimum apparent size relative to the full size."),
        Setting(
            .placements, "mark_degrees", .number(\.scene.placements.markDegrees, 0.1...45), unit: "°",
            requiresRestart: false,
            "Apparent angular size of a mark of full size."),
        Setting(
            .placements, "display_base_m", .number(\.scene.placements.displayBaseMetres, 0.5...1000), unit: "m",
            requiresRestart: false,
            "Minimum drawing distance of places that are farther away."),
        Setting(
            .placements, "display_share", .number(\.scene.placements.displayShare, 0...1), requiresRestart: false,
            "Additional drawing distance per metre of true distance, so that nearer places stay in front."),
        Setting(
            .placements, "pulse_seconds", .number(\.scene.placements.pulseSeconds, 0.1...60), unit: "s",
            requiresRestart: false,
            "Pulse period of the destination mark."),
        Setting(
            .placements, "pulse_opacity", .number(\.scene.placements.pulseOpacity, 0...1), requiresRestart: false,
            "Minimum opacity of the pulse; the maximum is 1."),
        Setting(
            .placements, "pulse_scale", .number(\.scene.placements.pulseScale, 1...10), requiresRestart: false,
            "Maximum size of the pulse; the minimum is 1."),
        Setting(
            .placements, "hint_inset", .number(\.scene.placements.hintInset, 0...0.45), requiresRestart: false,
            "Margin between hints and the border of the display, relative to its height."),
        Setting(
            .placements, "most_hints", .whole(\.scene.placements.maximumHintCount, 0...16), requiresRestart: false,
            "Maximum number of hints on the border of a display, unless set by the client; further ones are counted at "
                + "the hint in their direction."),
        Setting(
            .placements, "hint_spacing", .number(\.scene.placements.hintSpacing, 0...0.5), requiresRestart: false,
            "Minimum spacing of hints along the border, relative to the display height."),
        Setting(
            .placements, "behind_enter_degrees", .number(\.scene.placements.behindEnterDegrees, 0...90), unit: "°",
            requiresRestart: false,
            "Angle from straight behind within which the hint of a placement moves to the bottom."),
        Setting(
            .placements, "behind_leave_degrees", .number(\.scene.placements.behindLeaveDegrees, 0...90), unit: "°",
            requiresRestart: false,
            "Angle from straight behind beyond which the hint leaves the bottom."),
        Setting(
            .placements, "head_locked_m", .number(\.scene.placements.headLockedMetres, 0.1...100), unit: "m",
            requiresRestart: false,
            "Drawing distance of head-locked placements."),
        Setting(
            .placements, "radar_m", .number(\.scene.placements.radarMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "Range of the radar; farther placements are on its border."),
        Setting(
            .placements, "pick_degrees", .number(\.scene.placements.pickDegrees, 0...45), unit: "°",
            requiresRestart: false,
            "Tolerance around a placement's own size within which a ray hits it."),
        Setting(
            .placements, "eye_height_m", .number(\.scene.placements.eyeHeightMetres, 0...3), unit: "m",
            requiresRestart: false,
            "Eye height above the ground, for placements with a height above ground."),
        Setting(
            .placements, "most_placements", .whole(\.scene.placements.maximumPlacementCount, 16...4096),
            requiresRestart: false,
            "Maximum number of placements in a scene; the least important ones are omitted."),
    ]

    static let labels: [Setting] = [
        Setting(
            .labels, "width_degrees", .number(\.scene.labels.widthDegrees, 0.1...90), unit: "°",
            requiresRestart: false,
            "Apparent width of a label, unless set by the client; labels closer together than this are stacked."),
        Setting(
            .labels, "height_degrees", .number(\.scene.labels.heightDegrees, 0.1...45), unit: "°",
            requiresRestart: false,
            "Apparent height of a label, unless set by the client."),
        Setting(
            .labels, "lowest_degrees", .number(\.scene.labels.lowestDegrees, -45...45), unit: "°",
            requiresRestart: false,
            "Elevation of the lowest label slot; marks of full size at eye level are below it."),
        Setting(
            .labels, "slot_degrees", .number(\.scene.labels.slotDegrees, 0.1...45), unit: "°",
            requiresRestart: false,
            "Vertical spacing of slots; for labels of another size the gap between two is the same."),
        Setting(
            .labels, "slots", .whole(\.scene.labels.slots, 1...64), requiresRestart: false,
            "Number of stacked slots; a label without a free slot is not shown."),
        Setting(
            .labels, "patience_seconds", .number(\.scene.labels.patienceSeconds, 0...60), unit: "s",
            requiresRestart: false,
            "Time for which a better slot must have been free before a label moves to it."),
    ]

    static let announcements: [Setting] = [
        Setting(
            .announcements, "distances_m",
            .numbers(
                \.scene.announcements.distancesMetres, range: "1 to 8 numbers from 1 to 10000, descending",
                check: SettingChecks.fallingDistances),
            unit: "m", requiresRestart: false,
            "Distances before a turn or the destination at which it is announced, once each."),
        Setting(
            .announcements, "least_interval_seconds",
            .number(\.scene.announcements.minimumIntervalSeconds, 0...600), unit: "s", requiresRestart: false,
            "Minimum interval between announcements, except for updates of the same one."),
        Setting(
            .announcements, "side_yaw_degrees", .number(\.scene.announcements.sideYawDegrees, 0...180), unit: "°",
            requiresRestart: false,
            "Heading accuracy required to announce left and right."),
        Setting(
            .announcements, "language", .choice(\.announcements.language), requiresRestart: false,
            "Language of announcements and labels for clients that ask for none, or for one that is not among these."),
    ]

    static let anchors: [Setting] = [
        Setting(
            .anchors, "most_per_client", .whole(\.scene.anchors.maximumCountPerClient, 1...1024),
            requiresRestart: false,
            "Maximum number of anchors per client."),
        Setting(
            .anchors, "most", .whole(\.scene.anchors.maximumCount, 1...4096), requiresRestart: false,
            "Maximum number of anchors of all clients."),
        Setting(
            .anchors, "hold_sigmas", .number(\.scene.anchors.holdSigmas, 0.5...100), requiresRestart: false,
            "Position difference, in standard deviations, above which an anchor with the policy hold is moved to its "
                + "geographic position."),
    ]
}
