// swift-tools-version: 6.2
import PackageDescription

/// Repository by its address, as any other package names it; here a clone, because the test runs offline.
let repository = Context.environment["WAYMARK_REPOSITORY"] ?? Context.packageDirectory + "/../.."

let package = Package(
    name: "client-package",
    dependencies: [.package(url: repository, from: "0.1.0")],
    targets: [
        .executableTarget(name: "walk-along", dependencies: [.product(name: "WaymarkClient", package: "waymark")]),
        .executableTarget(name: "ring-pose", dependencies: [.product(name: "WaymarkClient", package: "waymark")]),
        .executableTarget(name: "camera-odometry", dependencies: [.product(name: "WaymarkClient", package: "waymark")]),
    ])
