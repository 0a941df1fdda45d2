import Geometry
import Model
import Scene
import WaymarkInterface

extension FrameEstimate {
    package func message(sequence: UInt64, time: BootTime) -> PoseInterface.Frame {
        PoseInterface.Frame(
            sequence: Int(clamping: sequence), time: time.message, generation: Int(generation),
            origin: origin?.message, published: published.message, target: target.message,
            slewEnd: slewEnd?.message, horizontalAccuracy: horizontalAccuracy,
            orientationYawAccuracy: yawAccuracy.map { $0 * 180 / .pi }, before: before.message,
            causes: causes.message, mainCause: mainCause?.message.map(OpenWord.known))
    }
}

extension FrameCorrection {
    package func message(utcOffset: Int64?, effect: Effect?) -> SceneInterface.Correction {
        SceneInterface.Correction(
            time: time.message, utc: time.utc(offset: utcOffset), large: isLarge, end: slewEnd?.message,
            generation: Int(generation), before: before.message, target: target.message,
            turn: Angle.degrees(radians: turn), shift: shift,
            // Content moves in the direction opposite to the wearer's displacement.
            rise: -displacement.z, causes: causes.message, mainCause: mainCause?.message.map(OpenWord.known),
            pairs: evidence?.message, plan: plan?.message, text: text, moved: effect?.distance,
            angle: effect.map { Angle.degrees(radians: $0.angle) })
    }
}

extension HeadingReading {
    package var message: [SceneInterface.HeadingPairs] {
        [(SceneInterface.PairKind.velocities, velocities), (.positions, positions)].compactMap { kind, pairs in
            guard let pairs else { return nil }
            // A heading increases clockwise, the correction counter-clockwise.
            return SceneInterface.HeadingPairs(
                kind: kind, count: pairs.count, correction: pairs.correction.map { -Angle.degrees(radians: $0) },
                deviation: Angle.degrees(radians: pairs.standardDeviation))
        }
    }
}

extension PairedEstimate {
    package func message(_ pose: PoseEstimate) -> SceneInterface.Estimate {
        SceneInterface.Estimate(
            time: pose.time.message, generation: Int(pose.generation), position: pointInScene.message,
            geo: position.message, horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy,
            fixPosition: fixInScene.message, east: difference.x, north: difference.y,
            up: hasHeight ? difference.z : nil, distance: Vector3(difference.x, difference.y, 0).norm,
            deviations: normalizedDistance)
    }
}
