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
/// functions that the daemon uses lie together, since the kernel maps the surroundings of each that is called: 7 MB of
/// resident memory less. So do small functions to which Swift gives no symbol, in a section of their own.
let standalone: [LinkerSetting] = [
    .unsafeFlags(staticLibraries),
    .unsafeFlags(["-L", "\(Context.packageDirectory)/scripts/static-libstdc++"]),
    .unsafeFlags([
        "-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=all",
        "-Xlinker", "-zpack-relative-relocs", "-Xlinker", "-zrelro", "-Xlinker", "-znow",
        "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/scripts/function-order/daemon",
        "-Xlinker", "--no-warn-symbol-ordering",
        "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/scripts/function-order/nameless.ld",
    ]),
    .linkedLibrary("swiftSynchronization"),
]

/// Streets of the sources, each a folder; a target depends on others of its own street and of the streets above it in
/// this list, which scripts/dependencies checks.
enum Street: String {
    case base = "Base"
    case core = "Core"
    case wire = "Wire"
    case inputs = "Inputs"
    case daemon = "Daemon"
    case extras = "Extras"
    case programs = "Programs"

    func module(
        _ name: String, _ dependencies: [Target.Dependency] = [], excluding others: [String] = [],
        embedding resources: [String] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "Sources/\(rawValue)/\(name)",
            exclude: ["README.md"] + others,
            resources: resources.map { .embedInCode($0) }, swiftSettings: strict)
    }
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", exclude: ["README.md"],
        swiftSettings: strict, linkerSettings: standalone)
}

/// Test targets to build, by the names of their modules; all where the variable is not set.
let chosenTests = Context.environment["WAYMARK_TEST_MODULES"].map { Set($0.split(separator: " ").map(String.init)) }

/// Modules whose tests compute for long, or count what optimized code takes from the heap. The tests of others take the
/// compiler longer than they run. Without optimization those of Geometry crash the compiler of Swift 6.3.
let optimizedTests: Set = [
    "Calibration", "Engine", "Estimation", "Geometry", "PlanMatching", "Scene", "Service", "Sound",
]

/// No module imports tests: that it checks their types once more, only to describe them to others, is in vain.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let flags = ["-no-emit-module-separately-wmo"] + (optimizedTests.contains(name) ? [] : ["-Onone"])
    return .testTarget(
        name: name + "Tests", dependencies: [.target(name: name)] + dependencies,
        swiftSettings: strict + [.unsafeFlags(flags)])
}

func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/Base/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// C or C++ of the project's own: what Swift cannot reach by a module map alone. Optimized, the C library checks the
/// sizes of buffers in it.
func shim(
    _ name: String, _ dependencies: [Target.Dependency] = [], cxxSettings: [CXXSetting] = [],
    linkerSettings: [LinkerSetting]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Base/CLibraries/\(name)",
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
    tests("Linux", ["TestTools"]),
    tests("JSON", ["TestTools"]),
    tests("Web", ["Linux"]),
    tests("Geometry", []),
    tests("Model", ["Geometry"]),
    tests("Estimation", ["Geometry", "Model", "Engine", "Simulation", "BoardHandling", "EstimatorFixtures"]),
    tests("PlanMatching", ["Geometry", "Model", "CAllocations"]),
    tests("Scene", ["Geometry", "Model", "Simulation", "Messages"]),
    tests(
        "Engine",
        [
            "Geometry", "Model", "Estimation", "PlanMatching", "Scene", "Simulation", "BoardHandling",
            "EstimatorFixtures", "CAllocations",
        ]),
    tests("Calibration", ["Geometry", "Model", "Simulation", "BoardHandling", "CZlib"]),
    tests("Simulation", ["Geometry", "Model", "BoardHandling"]),
    tests("WaymarkInterface", ["JSON", "Geometry", "TestTools"]),
    tests("Varlink", ["Linux", "JSON", "TestTools", "CAllocations"]),
    tests("WaymarkClient", ["Linux", "JSON", "WaymarkInterface", "Varlink", "TestTools", "CPoseRing"]),
    tests("Documents", ["JSON", "Geometry", "Model", "PlanMatching", "Scene", "Calibration", "TestTools"]),
    tests(
        "Messages",
        ["JSON", "Geometry", "Model", "Scene", "Calibration", "WaymarkInterface", "Documents", "CAllocations"]),
    tests("Sensors", ["Linux", "Geometry", "Model", "TestTools", "CAllocations"]),
    tests(
        "Recording",
        [
            "Linux", "JSON", "Geometry", "Model", "PlanMatching", "Engine", "Calibration", "Simulation", "Documents",
            "Messages", "Pages", "TestTools",
        ]),
    tests("Configuration", ["Linux", "Scene", "TestTools"]),
    tests(
        "Persistence",
        [
            "Linux", "JSON", "SQLite", "Geometry", "Model", "Estimation", "PlanMatching", "Scene", "Calibration",
            "Documents", "Sensors", "TestTools",
        ]),
    tests(
        "Service",
        [
            "Linux", "JSON", "Geometry", "Model", "Estimation", "Engine", "Calibration", "Simulation",
            "WaymarkInterface", "WaymarkClient", "Messages", "Sensors", "TestTools", "CPoseRing", "CAllocations",
        ]),
    tests(
        "Bridges",
        [
            "Linux", "JSON", "Geometry", "Model", "WaymarkInterface", "Configuration", "Service", "DaemonFixtures",
            "TestTools",
        ]),
    tests("Fleet", ["Linux", "JSON", "Geometry", "WaymarkInterface", "Configuration", "TestTools"]),
    tests("Sound", ["JSON", "Geometry", "WaymarkInterface"]),
    tests(
        "Pages",
        [
            "JSON", "Geometry", "Model", "PlanMatching", "Scene", "Engine", "Calibration", "Simulation",
            "WaymarkInterface", "Messages", "Recording",
        ]),
    tests(
        "Commands",
        [
            "Linux", "JSON", "Geometry", "WaymarkInterface", "WaymarkClient", "Messages", "Configuration", "Fleet",
            "DaemonFixtures", "TestTools",
        ]),
    tests("Scoring", ["Geometry", "Estimation", "Recording", "TestTools"]),
    tests("FuzzParsers", ["TestTools"]),
]

let package = Package(
    name: "waymark",
    products: [
        // For programs of other packages; it needs neither libsystemd nor anything of the daemon.
        .library(name: "WaymarkClient", targets: ["WaymarkClient", "WaymarkInterface"])
    ],
    targets: [
        // Libraries of the system, each behind one small target.
        library("CPopt", pkgConfig: "popt", apt: "libpopt-dev"),
        library("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev"),
        library("CMinpack", pkgConfig: "cminpack", apt: "libcminpack-dev"),
        // Around RapidJSON, which is headers alone.
        shim("CJSON"),
        shim("CLinux"),
        shim("CNumber"),
        // The interface files, for introspection.
        shim("CInterfaceFiles"),
        // Counts what tests and the benchmark take from the heap.
        shim("CAllocations"),
        // The memory that render threads read poses from: its layout, its readers and its writer.
        shim("CPoseRing", linkerSettings: [.linkedLibrary("m")]),
        // A function by whose name callgrind finds what it is to count.
        shim("CCallgrind"),
        // Opens libraries when they are first used: all programs are one executable, and few use these.
        shim("CLoadedLibrary"),
        shim("CSystemd", ["CLoadedLibrary"]),
        shim("CSQLite", ["CLoadedLibrary"]),
        shim("CUdev", ["CLoadedLibrary"]),
        shim("CGPS", ["CLoadedLibrary"]),
        shim("CIIO", ["CLoadedLibrary"]),
        shim("CHTTP", ["CLoadedLibrary"]),
        shim("CWebServer", ["CLoadedLibrary"]),
        shim("CGDAL", ["CLoadedLibrary"]),
        shim("CMosquitto", ["CLoadedLibrary"]),
        shim("COpenAL", ["CLoadedLibrary"]),
        shim("CSpeech", ["CLoadedLibrary"]),
        shim("CSensorProxy", ["CSystemd"]),
        shim("CNotifications", ["CSystemd"]),
        // Around toml++, which is headers alone.
        shim("CToml"),
        // Linked statically: it is small, and a shared one would be loaded by every command.
        shim("CGeographic", linkerSettings: [.linkedLibrary(":libGeographicLib.a")]),

        // System calls and sockets, texts and databases: nothing of the field.
        Street.base.module("Linux", ["CLinux"]),
        Street.base.module("JSON", ["CJSON", "CNumber"]),
        Street.base.module("SQLite", ["CSQLite", "CZlib"]),
        Street.base.module("Web", ["Linux", "CWebServer"]),

        // The pure core: no clock, no file, no socket.
        Street.core.module(
            "Geometry", ["CGeographic"], excluding: ["Earth/Resources/README.md", "Earth/Resources/EGM96.int16"],
            embedding: ["Earth/Resources/WMM_2025.COF"]),
        Street.core.module("Model", ["Geometry"]),
        Street.core.module("Estimation", ["Geometry", "Model"]),
        Street.core.module("PlanMatching", ["Geometry", "Model"]),
        Street.core.module("Scene", ["Geometry", "Model"]),
        Street.core.module("Engine", ["Geometry", "Model", "Estimation", "PlanMatching", "Scene"]),
        Street.core.module("Calibration", ["Geometry", "Model", "CMinpack"]),
        Street.core.module("Simulation", ["Geometry", "Model", "Scene"]),

        // What is read and written: documents, messages, and the daemon's interface with its client.
        Street.wire.module(
            "WaymarkInterface", ["JSON", "CInterfaceFiles"],
            excluding: [
                "org.varlink.service.varlink", "org.waymark.Pose.varlink", "org.waymark.Status.varlink",
                "org.waymark.Scene.varlink", "org.waymark.Recording.varlink", "org.waymark.Calibration.varlink",
                "org.waymark.Aid.varlink", "org.waymark.Plan.varlink", "org.waymark.Terrain.varlink",
            ]),
        Street.wire.module("Varlink", ["Linux", "JSON", "WaymarkInterface"]),
        Street.wire.module("WaymarkClient", ["Linux", "JSON", "WaymarkInterface", "Varlink", "CPoseRing"]),
        Street.wire.module(
            "Documents", ["JSON", "Geometry", "Model", "PlanMatching", "Scene", "Calibration", "CExpat"]),
        Street.wire.module(
            "Messages", ["JSON", "Geometry", "Model", "Scene", "Calibration", "WaymarkInterface", "Documents"]),

        // Where measurements come from: sensors, receivers, recordings.
        Street.inputs.module("Sensors", ["Linux", "Geometry", "Model", "CIIO", "CGPS", "CUdev"]),
        Street.inputs.module(
            "Recording",
            [
                "Linux", "JSON", "Geometry", "Model", "Estimation", "PlanMatching", "Engine", "WaymarkInterface",
                "Documents", "Messages", "CZstd", "CZlib",
            ]),

        // The daemon: settings, what lasts from run to run, services.
        Street.daemon.module(
            "Configuration",
            ["Linux", "Geometry", "Model", "Scene", "Messages", "CSystemd", "CPopt", "CToml"]),
        Street.daemon.module(
            "Persistence",
            [
                "Linux", "JSON", "SQLite", "Geometry", "Model", "Estimation", "PlanMatching", "Scene", "Calibration",
                "Documents", "Sensors", "Recording", "Configuration", "CSQLite", "CZlib",
            ]),
        Street.daemon.module(
            "Service",
            [
                "Linux", "JSON", "SQLite", "Geometry", "Model", "Estimation", "PlanMatching", "Scene", "Engine",
                "Calibration", "Simulation", "WaymarkInterface", "Varlink", "Documents", "Messages", "Sensors",
                "Recording", "Configuration", "Persistence", "CPoseRing",
            ]),

        // Programs beside the daemon that show its poses, pass them on and make them heard.
        Street.extras.module(
            "Bridges",
            [
                "Linux", "JSON", "Web", "Geometry", "Model", "WaymarkInterface", "WaymarkClient", "Documents",
                "Messages", "Configuration", "CSensorProxy",
            ]),
        Street.extras.module(
            "Fleet",
            [
                "Linux", "JSON", "SQLite", "Geometry", "WaymarkInterface", "WaymarkClient", "Documents", "Messages",
                "Configuration", "CMosquitto",
            ]),
        Street.extras.module(
            "Sound",
            ["Linux", "JSON", "Geometry", "WaymarkInterface", "WaymarkClient", "Messages", "CSpeech", "COpenAL"]),
        Street.extras.module(
            "Pages",
            [
                "Linux", "JSON", "SQLite", "Web", "Geometry", "Model", "PlanMatching", "Scene", "Engine", "Calibration",
                "WaymarkInterface", "Varlink", "WaymarkClient", "Documents", "Messages", "Recording", "Configuration",
                "CZlib",
            ],
            // What both pages share, and the rest of each: embedded, so that the program stays one file.
            embedding: ["Kit/Resources", "Report/Resources", "Live/Resources"]),

        // The command lines of all programs, which are one executable; `waymarkd` is a link to it.
        Street.programs.module(
            "Commands",
            [
                "Linux", "JSON", "Geometry", "Model", "PlanMatching", "Scene", "Engine", "Calibration",
                "WaymarkInterface", "WaymarkClient", "Documents", "Messages", "Sensors", "Recording", "Configuration",
                "Persistence", "Service", "Bridges", "Fleet", "Sound", "Pages", "CGDAL", "CHTTP", "CNotifications",
            ]),
        program("waymark", ["Linux", "Commands"]),

        // Measures the estimator; not installed. valgrind 3.19, which is Debian 12's, ends where it meets the debugging
        // information of this compiler; it needs the names alone.
        .executableTarget(
            name: "waymark-bench",
            dependencies: [
                "Linux", "JSON", "Geometry", "Model", "Estimation", "Scene", "Engine", "Calibration", "Simulation",
                "WaymarkInterface", "Varlink", "Documents", "Messages", "Persistence", "Service", "TestTools",
                "CPoseRing", "CAllocations", "CCallgrind",
            ],
            path: "Benchmarks", exclude: ["Score"], swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]),

        // Scores the estimator on simulated wearers and public recordings; not installed. The program is apart, so that
        // tests reach the rest.
        .target(
            name: "Scoring",
            dependencies: [
                "Linux", "JSON", "Geometry", "Model", "Estimation", "Engine", "Simulation", "Recording",
                "BoardHandling",
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
            dependencies: ["Geometry", "Model", "Estimation", "Engine", "Simulation"],
            path: "Tests/Support/EstimatorFixtures", swiftSettings: strict),

        // The parsers of what comes from outside, for the fuzzer and for the test of its kept inputs.
        .target(
            name: "FuzzParsers",
            dependencies: [
                "Linux", "JSON", "Web", "Geometry", "Model", "Engine", "Simulation", "WaymarkInterface", "Varlink",
                "Documents", "Sensors", "Recording", "Configuration", "Persistence", "Service", "Bridges", "Fleet",
                "Pages", "TestTools", "CSensorProxy", "CWebServer",
            ],
            path: "Tests/Fuzz/Parsers", swiftSettings: strict),

        // A daemon that answers its clients as a test chooses.
        .target(
            name: "DaemonFixtures", dependencies: ["Linux", "JSON", "WaymarkInterface", "Varlink", "TestTools"],
            path: "Tests/Support/DaemonFixtures", swiftSettings: strict),

        // Folders, random numbers and pieces of documents for tests and the benchmark.
        .target(
            name: "TestTools", dependencies: ["JSON", "Linux", "Varlink", "CSwiftMutex"],
            path: "Tests/Support/TestTools",
            swiftSettings: strict),

        // Explains Swift's Mutex to ThreadSanitizer; empty in other builds.
        .target(name: "CSwiftMutex", path: "Tests/Support/CSwiftMutex"),
    ] + fuzzTargets
        + allTests.filter { test in chosenTests.map { $0.contains(String(test.name.dropLast("Tests".count))) } ?? true },
    cLanguageStandard: .gnu11,
    cxxLanguageStandard: .cxx17
)
