// swift-tools-version: 6.2
import PackageDescription

/// Each function has a section of its own, so that the linker leaves out what nobody calls.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .unsafeFlags(["-Xfrontend", "-function-sections"]),
]

/// Where another processor's static libraries of Swift are: `swift build` names an SDK's shared ones for all programs.
let staticLibraries = Context.environment["WAYMARK_STATIC_SWIFT"].map { ["-resource-dir", $0] } ?? []

/// The program carries Swift's runtime inside, so that a board needs no toolchain to run it. Nothing loads code into
/// it, so it exports no symbols, its relocations are packed (glibc 2.36 reads them), and functions of the same code are
/// one: with the sections above 4 of 22 MB less. What it binds to is resolved, and made read-only, before it runs. The
/// functions that the daemon uses lie together, since the kernel maps the surroundings of each that is called: 1.5 MB
/// of resident memory less.
let standalone: [LinkerSetting] = [
    .unsafeFlags(staticLibraries),
    .unsafeFlags([
        "-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=all",
        "-Xlinker", "-zpack-relative-relocs", "-Xlinker", "-zrelro", "-Xlinker", "-znow",
        "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/scripts/function-order/daemon",
        "-Xlinker", "--no-warn-symbol-ordering",
    ]),
    .linkedLibrary("swiftSynchronization"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], excluding others: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: ["README.md"] + others, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, exclude: ["README.md"], swiftSettings: strict,
        linkerSettings: standalone)
}

/// Test targets to build, by the names of their modules; all where the variable is not set.
let chosenTests = Context.environment["WAYMARK_TEST_MODULES"].map { Set($0.split(separator: " ").map(String.init)) }

/// Scripts of the live page, in `Sources/LiveService/Resources`.
let pageScripts = [
    "aid_table.js", "album.js", "arrow.js", "backdrop.js", "colors.js", "compass.js", "connection.js",
    "daemon.js",
    "elements.js",
    "event_panel.js", "eye.js", "geometry.js", "hints.js", "inspection.js", "label.js",
    "label_picture.js", "label_room.js",
    "leader_lines.js", "map.js", "map_drawing.js", "mark.js", "mark_texture.js", "navigation.js", "notice.js",
    "page.js",
    "picture_overlay.js", "place_card.js", "plan_lines.js", "point_card.js", "pose_panel.js", "poses.js",
    "route_line.js",
    "route_panel.js", "scene_state.js",
    "sensor_panel.js",
    "server_files.js",
    "targets.js", "tile_layer.js", "view.js", "view_absent.js", "view_card.js", "words.js",
]

/// Modules whose tests compute for long, or count what optimized code takes from the heap. The tests of others take the
/// compiler longer than they run. Without optimization those of Geometry crash the compiler of Swift 6.3.
let optimizedTests: Set = [
    "BeaconService", "Calibration", "Engine", "Estimation", "Geometry", "PlanMatching", "Publication", "Scene",
    "Service",
]

/// No module imports tests: that it checks their types once more, only to describe them to others, is in vain.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let flags = ["-no-emit-module-separately-wmo"] + (optimizedTests.contains(name) ? [] : ["-Onone"])
    return .testTarget(
        name: name + "Tests", dependencies: [.target(name: name)] + dependencies,
        swiftSettings: strict + [.unsafeFlags(flags)])
}

func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// C or C++ of the project's own: what Swift cannot reach by a module map alone. Optimized, the C library checks the
/// sizes of buffers in it.
func shim(
    _ name: String, _ dependencies: [Target.Dependency] = [], cxxSettings: [CXXSetting] = [],
    linkerSettings: [LinkerSetting]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/CLibraries/\(name)",
        cSettings: [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))],
        cxxSettings: [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))] + cxxSettings,
        linkerSettings: linkerSettings)
}

/// What feeds the parsers under libFuzzer, only where scripts/fuzz builds: it needs libFuzzer's runtime.
let fuzzTargets: [Target] =
    Context.environment["WAYMARK_FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "waymark-fuzz", dependencies: ["FuzzParsers", "Linux"], path: "Tests/Fuzz/Program",
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])])
    ]

let allTests: [Target] = [
    tests("Geometry", []),
    tests("Geodesy", ["Geometry"]),
    tests("Model", ["Geometry", "Geodesy"]),
    tests("Gait", ["Geometry", "Model", "Simulation", "EstimatorFixtures"]),
    tests(
        "Estimation",
        ["Gait", "Intake", "Publication", "Geometry", "Geodesy", "Model", "Simulation", "EstimatorFixtures"]),
    tests("Intake", ["Estimation", "Geometry", "Model", "EstimatorFixtures"]),
    tests(
        "Publication",
        [
            "Estimation", "Geometry", "Geodesy", "Model", "PlanMatching", "Simulation", "CAllocations",
            "EstimatorFixtures",
        ]),
    tests("PlanMatching", ["Geometry", "Geodesy", "State", "CAllocations"]),
    tests("Scene", ["Geometry", "Geodesy", "Model", "Messages", "Simulation", "Wording"]),
    tests(
        "Engine",
        [
            "Scene", "Geometry", "Geodesy", "Model", "Estimation", "PlanMatching", "Publication", "Simulation",
            "CAllocations",
        ]),
    tests("Calibration", ["Geometry", "Geodesy", "Model", "Simulation", "BoardHandling", "CZlib"]),
    tests("Diagnosis", ["Geometry", "Geodesy"]),
    tests("Simulation", ["Geometry", "Geodesy", "Model", "BoardHandling"]),
    tests("Scoring", ["Geometry", "Estimation", "Recording", "TestTools"]),
    tests(
        "Report",
        [
            "Geometry", "Geodesy", "Model", "PlanMatching", "Scene", "Engine", "Calibration", "Simulation", "Messages",
            "WaymarkInterface",
        ]),
    tests("FuzzParsers", ["TestTools"]),
    tests("JSON", ["TestTools"]),
    tests("Tracks", ["Geometry", "Model", "JSON"]),
    tests("Documents", ["Geometry", "Geodesy", "Model", "Scene", "PlanMatching", "Calibration", "JSON", "TestTools"]),
    tests("Wording", []),
    tests(
        "Messages",
        [
            "Geometry", "Geodesy", "Model", "Scene", "Calibration", "JSON", "Wording", "WaymarkInterface",
            "Documents", "CAllocations",
        ]),
    tests(
        "WaymarkInterface", ["Geometry", "JSON", "Varlink"]),
    tests("Linux", ["TestTools"]),
    tests("Systemd", ["Linux", "TestTools"]),
    tests("Sensors", ["Geometry", "Geodesy", "Model", "Linux", "CAllocations", "TestTools"]),
    tests(
        "Recording",
        [
            "Geometry", "Geodesy", "Model", "PlanMatching", "Publication", "Engine", "Calibration", "JSON", "Messages",
            "Report", "Simulation", "Tracks", "Linux",
            "TestTools",
        ]),
    tests("Configuration", ["Scene"]),
    tests("Navigation", ["Geodesy", "Configuration"]),
    tests("Options", []),
    tests("Web", ["Linux", "Network"]),
    tests("Display", ["WaymarkClient", "WaymarkInterface", "Diagnosis", "JSON", "Fleet"]),
    tests("Network", ["Linux", "TestTools"]),
    tests("LiveService", ["JSON", "Geometry", "Geodesy", "Model", "WaymarkInterface", "Recording"]),
    tests("Bridges", ["Geometry", "Geodesy", "JSON", "WaymarkInterface"]),
    tests(
        "BridgeService",
        [
            "Bridges", "Geometry", "Geodesy", "Model", "JSON", "Configuration", "Service", "Network", "Linux",
            "DaemonFixtures", "TestTools",
        ]),
    tests("Beacon", ["Geometry", "WaymarkInterface", "JSON"]),
    tests("BeaconService", ["Beacon", "Geometry"]),
    tests("Varlink", ["JSON", "Linux", "TestTools"]),
    tests("WaymarkClient", ["WaymarkInterface", "JSON", "Varlink", "Linux", "CPoseRing", "TestTools"]),
    tests("MQTT", ["Linux", "Network", "TestTools"]),
    tests("Fleet", ["Geodesy", "JSON", "WaymarkInterface", "TestTools"]),
    tests("VoiceService", ["WaymarkInterface"]),
    tests("FleetService", ["Fleet", "MQTT", "Network", "Linux", "TestTools"]),
    tests(
        "Programs",
        [
            "Configuration", "DaemonFixtures", "Diagnosis", "Display", "Linux", "Navigation", "Network",
            "TestTools", "WaymarkClient", "Wording",
        ]),
    tests("PlaceStore", ["Geodesy", "Scene", "JSON", "Linux", "SQLite"]),
    tests(
        "Persistence",
        [
            "Sensors", "Geometry", "Geodesy", "Model", "Estimation", "Intake", "PlanMatching", "Calibration", "JSON",
            "Documents", "Linux", "Scene", "TestTools",
        ]),
    tests(
        "Service",
        [
            "Model", "Estimation", "Publication", "Geometry", "Geodesy", "Calibration", "Simulation", "Messages",
            "JSON", "Linux", "Sensors",
            "WaymarkInterface", "WaymarkClient", "CPoseRing", "CAllocations", "TestTools",
        ]),
]

let package = Package(
    name: "waymark",
    products: [
        // For programs of other packages; it needs neither libsystemd nor anything of the daemon.
        .library(name: "WaymarkClient", targets: ["WaymarkClient", "WaymarkInterface"])
    ],
    targets: [
        // Libraries of the system, each behind one small target.
        library("CUdev", pkgConfig: "libudev", apt: "libudev-dev"),
        library("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CPopt", pkgConfig: "popt", apt: "libpopt-dev"),
        library("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev"),
        library("CMinpack", pkgConfig: "cminpack", apt: "libcminpack-dev"),
        // Around RapidJSON, which is headers alone.
        shim("CJSON"),
        shim("CLinux"),
        shim("CNumber"),
        // Counts what tests and the benchmark take from the heap.
        shim("CAllocations"),
        // The memory that render threads read poses from: its layout, its readers and its writer.
        shim("CPoseRing", linkerSettings: [.linkedLibrary("m")]),
        // A function by whose name callgrind finds what it is to count.
        shim("CCallgrind"),
        // Opens libraries when they are first used: all programs are one executable, and few use these.
        shim("CLoadedLibrary"),
        shim("CIIO", ["CLoadedLibrary"]),
        shim("CHTTP", ["CLoadedLibrary"]),
        shim("CWebServer", ["CLoadedLibrary"]),
        shim("CGDAL", ["CLoadedLibrary"]),
        shim("CMosquitto", ["CLoadedLibrary"]),
        shim("COpenAL", ["CLoadedLibrary"]),
        shim("CSpeech", ["CLoadedLibrary"]),
        shim("CGPS", linkerSettings: [.linkedLibrary("gps")]),
        shim("CSensorProxy", linkerSettings: [.linkedLibrary("systemd")]),
        shim("CNotifications", linkerSettings: [.linkedLibrary("systemd")]),
        shim(
            "CToml", cxxSettings: [.define("TOML_HEADER_ONLY", to: "0"), .define("TOML_SHARED_LIB", to: "1")],
            linkerSettings: [.linkedLibrary("tomlplusplus")]),
        shim("CGeographic", linkerSettings: [.linkedLibrary("GeographicLib")]),

        // The pure core: no clock, no file, no socket.
        module("Geometry"),
        .target(
            name: "Geodesy", dependencies: ["Geometry", "CGeographic"],
            exclude: ["README.md", "Resources/README.md", "Resources/EGM96.int16"],
            resources: [.embedInCode("Resources/WMM_2025.COF")], swiftSettings: strict),
        module("Model", ["Geometry", "Geodesy"]),
        module("State", ["Geometry", "Geodesy", "Model"]),
        module("Gait", ["Geometry", "Model", "State"]),
        module("Estimation", ["Geometry", "Geodesy", "Model", "State", "Gait"]),
        module("Intake", ["Geometry", "Geodesy", "Model", "State", "Estimation"]),
        module(
            "Publication", ["Geometry", "Geodesy", "Model", "State", "Gait", "Estimation", "Intake", "PlanMatching"]),
        module("PlanMatching", ["Geometry", "Geodesy", "State"]),
        module("Scene", ["Geometry", "Geodesy", "Model"]),
        module(
            "Engine", ["Geometry", "Geodesy", "Model", "Estimation", "Intake", "Publication", "PlanMatching", "Scene"]),
        module("Calibration", ["Geometry", "Model", "CMinpack"]),
        module("Diagnosis", ["Geometry", "Geodesy", "Model"]),
        module("Simulation", ["Geometry", "Geodesy", "Model", "Scene"]),
        module("JSON", ["CJSON", "CNumber"]),
        // What the daemon and its clients say to each other: generated from the interface files.
        module(
            "WaymarkInterface", ["JSON"],
            excluding: [
                "org.varlink.service.varlink", "org.waymark.Pose.varlink", "org.waymark.Status.varlink",
                "org.waymark.Scene.varlink", "org.waymark.Recording.varlink", "org.waymark.Calibration.varlink",
                "org.waymark.Aid.varlink", "org.waymark.Plan.varlink", "org.waymark.Terrain.varlink",
            ]),
        module(
            "Documents", ["Geometry", "Geodesy", "Model", "Scene", "PlanMatching", "Calibration", "JSON", "CExpat"]),
        // What is said to the wearer, in all languages: generated from the message catalogues.
        module("Wording"),
        module(
            "Messages",
            [
                "Geometry", "Geodesy", "Model", "Scene", "Calibration", "JSON", "Wording", "WaymarkInterface",
                "Documents",
            ]),
        // What the pages share, and below style and script of each: embedded, so that the program stays one file.
        .target(
            name: "PageKit",
            exclude: ["README.md"],
            resources: [
                "theme.css", "canvas.js", "gestures.js", "map_view.js", "plan_drawing.js", "theme.js",
            ].map { .embedInCode("Resources/\($0)") },
            swiftSettings: strict),
        .target(
            name: "Report",
            dependencies: [
                "Geometry", "Geodesy", "Model", "PlanMatching", "Publication", "Scene", "Engine", "Calibration", "JSON",
                "WaymarkInterface", "Messages", "PageKit",
            ],
            exclude: ["README.md"],
            resources: ["style.css", "data.js", "time.js", "drawing.js", "plots.js", "map.js", "page.js"].map {
                .embedInCode("Resources/\($0)")
            },
            swiftSettings: strict),

        // Tracks for other programs: points in, text out.
        module("Tracks", ["Geometry", "Geodesy", "Model", "JSON"]),

        // The world: system calls, devices, files, sockets.
        module("Linux", ["CLinux"]),
        module("Systemd", ["CSystemd", "Linux"]),
        module("Sensors", ["Geometry", "Geodesy", "Model", "Linux", "CIIO", "CUdev", "CGPS"]),
        module(
            "Recording",
            [
                "Geometry", "Geodesy", "Model", "Estimation", "Intake", "PlanMatching", "Publication", "JSON",
                "WaymarkInterface", "Messages", "Documents", "Tracks", "Linux",
                "CZstd", "CZlib",
            ]),
        module("Network", ["Linux", "CLinux"]),
        // What a wearer's board brings to a broker: values in, bytes out.
        module("Fleet", ["Geometry", "Geodesy", "JSON", "Documents", "WaymarkInterface"]),
        module("Configuration", ["Model", "Scene", "Wording", "CToml", "Options", "Network", "Fleet"]),
        module("Navigation", ["Geodesy", "Scene", "JSON", "Documents", "WaymarkInterface", "Configuration", "CHTTP"]),
        module("Options", ["CPopt"]),
        module("Web", ["Linux", "Network", "CWebServer"]),
        module("Varlink", ["JSON", "WaymarkInterface", "Linux"]),
        module("SQLite", ["CSQLite", "CZlib"]),
        module("MQTT", ["Linux", "Network", "CMosquitto"]),
        module("PlaceStore", ["Geodesy", "Scene", "JSON", "Documents", "Linux", "SQLite", "CSQLite"]),
        module(
            "Persistence",
            [
                "Geometry", "Geodesy", "Model", "Estimation", "Intake", "Scene", "PlanMatching", "Calibration", "JSON",
                "Documents", "Linux", "Sensors", "Recording", "Configuration", "SQLite", "CSQLite", "CZlib",
            ]),
        module(
            "Service",
            [
                "Geometry", "Geodesy", "Model", "Estimation", "PlanMatching", "Publication", "Scene", "Engine",
                "Calibration",
                "JSON", "Documents", "Wording", "Messages", "Simulation", "Linux", "Sensors", "Recording",
                "Configuration",
                "Varlink",
                "PlaceStore",
                "SQLite", "Persistence", "Systemd", "WaymarkInterface", "CPoseRing",
            ]),
        module("WaymarkClient", ["Varlink", "Linux", "JSON", "WaymarkInterface", "CPoseRing"]),
        // Poses in the protocols of other programs: first what is written, then the program that serves it.
        module("Bridges", ["Geometry", "Geodesy", "Model", "JSON", "WaymarkInterface", "Tracks"]),
        module(
            "BridgeService",
            [
                "Bridges", "JSON", "WaymarkInterface", "WaymarkClient", "Linux", "Network", "Web", "Configuration",
                "CSensorProxy",
            ]),
        // A placement that sounds from where it is: first what sounds when, then the program that makes it heard.
        module("Beacon", ["Geometry", "WaymarkInterface"]),
        module(
            "BeaconService", ["Beacon", "Geometry", "JSON", "WaymarkInterface", "WaymarkClient", "Linux", "COpenAL"]),
        // A wearer at a broker: the queue on disk, and the program that fills and sends it.
        module(
            "FleetService",
            [
                "Fleet", "Geodesy", "JSON", "WaymarkInterface", "WaymarkClient", "Linux", "Network", "MQTT", "SQLite",
                "Systemd", "Configuration",
            ]),
        // Announcements, spoken.
        module("VoiceService", ["JSON", "Wording", "WaymarkInterface", "WaymarkClient", "Linux", "CSpeech"]),
        // The live page and Foxglove's protocol; the page's files are embedded, so that the program stays one file.
        .target(
            name: "LiveService",
            dependencies: [
                "Geometry", "Geodesy", "Model", "Scene", "JSON", "WaymarkInterface", "Documents", "Recording",
                "Varlink",
                "Linux", "Network", "Web", "WaymarkClient", "Configuration", "SQLite", "CZlib", "PageKit",
            ],
            exclude: ["README.md"],
            resources: (["page.html", "style.css"] + pageScripts).map { .embedInCode("Resources/\($0)") },
            swiftSettings: strict),
        module(
            "Display",
            ["Model", "WaymarkClient", "WaymarkInterface", "Geometry", "Geodesy", "Calibration", "Diagnosis", "Fleet"]),

        // What the command lines of all programs do.
        module(
            "Programs",
            [
                "Geometry", "Geodesy", "Scene", "WaymarkInterface", "WaymarkClient", "Display", "Service",
                "Model", "PlanMatching", "Publication", "Calibration", "Recording", "JSON", "Documents", "Messages",
                "Report", "Configuration", "Linux", "Systemd", "Options", "Diagnosis", "Sensors", "Navigation",
                "Persistence", "CGDAL",
                "Tracks", "BridgeService", "LiveService", "FleetService", "VoiceService", "Fleet", "MQTT", "Network",
                "Wording", "Beacon", "BeaconService", "CNotifications",
            ]),
        // All programs are one executable; `waymarkd` is a link to it.
        program("waymark", ["Programs", "Linux"]),

        // Measures the estimator; not installed. valgrind 3.19, which is Debian 12's, ends where it meets the debugging
        // information of this compiler; it needs the names alone.
        .executableTarget(
            name: "waymark-bench",
            dependencies: [
                "CAllocations", "CCallgrind", "CPoseRing", "Geometry", "Geodesy", "Model", "Estimation",
                "Publication", "Scene", "Engine", "Calibration", "Simulation", "JSON", "Documents", "Messages", "Linux",
                "Service", "Varlink", "Wording", "WaymarkInterface",
                "PlaceStore", "TestTools",
            ],
            path: "Benchmarks", exclude: ["Score"], swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]),

        // Scores the estimator on simulated wearers and public recordings; not installed. The program is apart, so that
        // tests reach the rest.
        .target(
            name: "Scoring",
            dependencies: [
                "Geometry", "Geodesy", "Model", "Estimation", "Publication", "Simulation", "Recording", "JSON", "Linux",
            ],
            path: "Benchmarks/Score/Scoring", swiftSettings: strict),
        .executableTarget(
            name: "waymark-score", dependencies: ["Estimation", "Scoring"], path: "Benchmarks/Score/Program",
            swiftSettings: strict),

        // A board that is handled for a calibration, simulated.
        .target(
            name: "BoardHandling", dependencies: ["Geometry", "Model", "Simulation"],
            path: "Tests/Support/BoardHandling", swiftSettings: strict),

        // Measurements of an analytic walk, and states of a filter, for tests of both halves of the estimator.
        .target(
            name: "EstimatorFixtures",
            dependencies: ["Geometry", "Geodesy", "Model", "Gait", "Estimation", "Publication", "Simulation"],
            path: "Tests/Support/EstimatorFixtures", swiftSettings: strict),

        // The parsers of what comes from outside, for the fuzzer and for the test of its kept inputs.
        .target(
            name: "FuzzParsers",
            dependencies: [
                "BridgeService", "Bridges", "Configuration", "CSensorProxy", "CWebServer", "Documents", "Engine",
                "Fleet", "Geodesy", "JSON", "Linux", "LiveService", "Model", "Network", "Persistence", "Publication",
                "Recording", "Sensors", "Service", "Simulation", "TestTools", "Varlink", "WaymarkInterface", "Web",
            ],
            path: "Tests/Fuzz/Parsers", swiftSettings: strict),

        // A daemon that answers its clients as a test chooses.
        .target(
            name: "DaemonFixtures", dependencies: ["JSON", "Linux", "TestTools", "Varlink", "WaymarkInterface"],
            path: "Tests/Support/DaemonFixtures", swiftSettings: strict),

        // Folders, random numbers and pieces of documents for tests and the benchmark.
        .target(
            name: "TestTools", dependencies: ["JSON", "Linux", "CSwiftMutex"], path: "Tests/Support/TestTools",
            swiftSettings: strict),

        // Explains Swift's Mutex to ThreadSanitizer; empty in other builds.
        .target(name: "CSwiftMutex", path: "Tests/Support/CSwiftMutex"),
    ] + fuzzTargets
        + allTests.filter { test in chosenTests.map { $0.contains(String(test.name.dropLast("Tests".count))) } ?? true },
    cLanguageStandard: .gnu11,
    cxxLanguageStandard: .cxx17
)
