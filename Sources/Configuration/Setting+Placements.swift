import Scene

extension Setting {
    static let placements: [Setting] = [
        Setting(
            .placements, "size_near_m", .number(\.scene.placements.sizeNearMetres, 0.1...100_000), unit: "m",
            requiresRestart: false,
            "A mark that fades with the distance has its full apparent size up to here."),
        Setting(
            .placements, "size_far_m", .number(\.scene.placements.sizeFarMetres, 0.1...100_000), unit: "m",
            requiresRestart: false,
            "And its least one from here on; in between it falls linearly."),
        Setting(
            .placements, "least_size", .number(\.scene.placements.leastSize, 0.01...1), requiresRestart: false,
            "The least apparent size as a share of the full one."),
        Setting(
            .placements, "mark_degrees", .number(\.scene.placements.markDegrees, 0.1...45), unit: "°",
            requiresRestart: false,
            "The angle under which a mark of full size is seen."),
        Setting(
            .placements, "display_base_m", .number(\.scene.placements.displayBaseMetres, 0.5...1000), unit: "m",
            requiresRestart: false,
            "Places that are farther away are drawn at this distance."),
        Setting(
            .placements, "display_share", .number(\.scene.placements.displayShare, 0...1), requiresRestart: false,
            "And so much farther for each metre of the true distance, so that nearer ones stay in front."),
        Setting(
            .placements, "pulse_seconds", .number(\.scene.placements.pulseSeconds, 0.1...60), unit: "s",
            requiresRestart: false,
            "The period of the pulse of the destination's mark."),
        Setting(
            .placements, "pulse_opacity", .number(\.scene.placements.pulseOpacity, 0...1), requiresRestart: false,
            "The opacity to which the pulse falls from 1."),
        Setting(
            .placements, "pulse_scale", .number(\.scene.placements.pulseScale, 1...10), requiresRestart: false,
            "The size to which the pulse grows from 1."),
        Setting(
            .placements, "hint_inset", .number(\.scene.placements.hintInset, 0...0.45), requiresRestart: false,
            "What hints keep free along the border of the display, as a share of its height."),
        Setting(
            .placements, "most_hints", .whole(\.scene.placements.mostHints, 0...16), requiresRestart: false,
            "The most hints on the border of a display, unless a client sets another number; the others are counted with "
                + "the one in their direction."),
        Setting(
            .placements, "hint_spacing", .number(\.scene.placements.hintSpacing, 0...0.5), requiresRestart: false,
            "From one hint to the next along the border at least, as a share of the display's height."),
        Setting(
            .placements, "behind_enter_degrees", .number(\.scene.placements.behindEnterDegrees, 0...90), unit: "°",
            requiresRestart: false,
            "A placement that is straight behind within this has its hint at the bottom."),
        Setting(
            .placements, "behind_leave_degrees", .number(\.scene.placements.behindLeaveDegrees, 0...90), unit: "°",
            requiresRestart: false,
            "The hint leaves the bottom when the placement is no longer behind within this."),
        Setting(
            .placements, "head_locked_m", .number(\.scene.placements.headLockedMetres, 0.1...100), unit: "m",
            requiresRestart: false,
            "Where things that move with the head are drawn, ahead."),
        Setting(
            .placements, "radar_m", .number(\.scene.placements.radarMetres, 1...100_000), unit: "m",
            requiresRestart: false,
            "The range of the radar; what is farther is on its border."),
        Setting(
            .placements, "pick_degrees", .number(\.scene.placements.pickDegrees, 0...45), unit: "°",
            requiresRestart: false,
            "A ray hits a placement within its own size and this."),
        Setting(
            .placements, "eye_height_m", .number(\.scene.placements.eyeHeightMetres, 0...3), unit: "m",
            requiresRestart: false,
            "Of the wearer's eyes above the ground, for placements at a height over it."),
        Setting(
            .placements, "most_placements", .whole(\.scene.placements.mostPlacements, 16...4096),
            requiresRestart: false,
            "The most placements of one scene; what matters least is left out."),
    ]

    static let labels: [Setting] = [
        Setting(
            .labels, "width_degrees", .number(\.scene.labels.widthDegrees, 0.1...90), unit: "°",
            requiresRestart: false,
            "The width of one label as the wearer sees it, unless a client has labels of its own size; labels closer "
                + "than this are stacked."),
        Setting(
            .labels, "height_degrees", .number(\.scene.labels.heightDegrees, 0.1...45), unit: "°",
            requiresRestart: false,
            "The height of one label as the wearer sees it, unless a client has labels of its own size."),
        Setting(
            .labels, "lowest_degrees", .number(\.scene.labels.lowestDegrees, -45...45), unit: "°",
            requiresRestart: false,
            "The elevation of the lowest slot for labels; marks of full size at the level of the eyes are below it."),
        Setting(
            .labels, "slot_degrees", .number(\.scene.labels.slotDegrees, 0.1...45), unit: "°",
            requiresRestart: false,
            "From one slot to the next above it; for labels of another size the gap between two stays the same."),
        Setting(
            .labels, "slots", .whole(\.scene.labels.slots, 1...64), requiresRestart: false,
            "How many slots a label may choose from, above one another; one that finds none free is not shown."),
        Setting(
            .labels, "patience_seconds", .number(\.scene.labels.patienceSeconds, 0...60), unit: "s",
            requiresRestart: false,
            "A label changes its slot only when the better one has been free for so long."),
    ]

    static let announcements: [Setting] = [
        Setting(
            .announcements, "distances_m",
            .numbers(
                \.scene.announcements.distancesMetres, range: "1 to 8 numbers, falling, 1 to 10000",
                check: SettingChecks.fallingDistances),
            unit: "m", requiresRestart: false,
            "How far before a turn and before the destination it is told, once each."),
        Setting(
            .announcements, "least_interval_seconds",
            .number(\.scene.announcements.leastIntervalSeconds, 0...600), unit: "s", requiresRestart: false,
            "Between two announcements, but for one that says more of the same."),
        Setting(
            .announcements, "side_yaw_degrees", .number(\.scene.announcements.sideYawDegrees, 0...180), unit: "°",
            requiresRestart: false,
            "Left and right are told only while the heading is known to this."),
    ]

    static let anchors: [Setting] = [
        Setting(
            .anchors, "most_per_client", .whole(\.scene.anchors.mostPerClient, 1...1024), requiresRestart: false,
            "The most anchors of one client."),
        Setting(
            .anchors, "most", .whole(\.scene.anchors.most, 1...4096), requiresRestart: false,
            "The most anchors of all clients together."),
        Setting(
            .anchors, "hold_sigmas", .number(\.scene.anchors.holdSigmas, 0.5...100), requiresRestart: false,
            "An anchor placed with the policy hold is moved only when the map puts it farther away than this many standard "
                + "deviations of its position."),
    ]
}
