import CPopt
import Glibc

/// Values of the given options, in order. A dictionary takes a command longer than all of its options: in a process the
/// first one looks for the conformance of its key to `Hashable` among those of the whole program.
struct OptionValues {
    private var entries: [(name: String, text: String)] = []

    mutating func append(_ name: String, _ text: String) { entries.append((name, text)) }

    /// Last value of the option with this long name; nil if it was not given.
    subscript(name: String) -> String? { entries.last { $0.name == name }?.text }
}

/// Option table in popt's memory layout. It is valid while this object lives.
final class OptionTable {
    struct Result {
        var values = OptionValues()
        var operands: [String] = []
    }

    /// popt's error about an argument.
    struct Problem: Error {
        let message: String
    }

    private var strings: [UnsafeMutablePointer<CChar>] = []
    private var vectors: [UnsafeMutableBufferPointer<UnsafePointer<CChar>?>] = []
    private var tables: [UnsafeMutableBufferPointer<popt_entry>] = []
    /// Long names of the options. popt's `val` of an option is its index here plus one.
    private let names: [String]
    private let root: UnsafeMutableBufferPointer<popt_entry>

    init(groups: [Syntax.Group]) {
        names = groups.flatMap(\.options).map(\.form.long)
        root = .allocate(capacity: groups.count + 1)
        root.initialize(repeating: popt_entry())
        var value: Int32 = 0
        for (index, group) in groups.enumerated() {
            let entries = UnsafeMutableBufferPointer<popt_entry>.allocate(capacity: group.options.count + 1)
            entries.initialize(repeating: popt_entry())
            for (row, option) in group.options.enumerated() {
                value += 1
                entries[row] = entry(option.form, value: value)
            }
            tables.append(entries)
            root[index].argInfo = UInt32(POPT_ARG_INCLUDE_TABLE)
            root[index].arg = UnsafeMutableRawPointer(entries.baseAddress)
            root[index].descrip = UnsafePointer(keep(group.title))
        }
    }

    deinit {
        for table in tables { table.deallocate() }
        root.deallocate()
        for vector in vectors { vector.deallocate() }
        for string in strings { free(string) }
    }

    /// Returns the usage line and the table of options, which popt formats for 80 columns.
    func help(program: String, usage: String) -> String {
        let context = context([program], flags: 0)
        defer { poptFreeContext(context) }
        poptSetOtherOptionHelp(context, keep(usage))
        var text: UnsafeMutablePointer<CChar>?
        var length = 0
        guard let stream = open_memstream(&text, &length) else { return "" }
        poptPrintHelp(context, stream, 0)
        fclose(stream)
        defer { free(text) }
        return text.map { String(cString: $0) } ?? ""
    }

    func parse(_ arguments: [String], program: String, stopsAtOperand: Bool) throws(Problem) -> Result {
        let context = context([program] + arguments, flags: stopsAtOperand ? UInt32(POPT_CONTEXT_POSIXMEHARDER) : 0)
        defer { poptFreeContext(context) }
        var result = Result()
        var code = poptGetNextOpt(context)
        while code > 0 {
            let text = poptGetOptArg(context)
            result.values.append(names[Int(code) - 1], text.map { String(cString: $0) } ?? "")
            free(text)
            code = poptGetNextOpt(context)
        }
        // −1 marks the end of the arguments; lower values are errors.
        guard code == -1 else { throw problem(code, at: String(cString: poptBadOption(context, 0))) }
        while let operand = poptGetArg(context) { result.operands.append(String(cString: operand)) }
        return result
    }

    private func problem(_ code: Int32, at argument: String) -> Problem {
        let option = argument.prefix { $0 != "=" }
        return switch code {
        case POPT_ERROR_BADOPT: Problem(message: "unknown option '\(option)'" + suggestion(for: String(option)))
        case POPT_ERROR_NOARG: Problem(message: "option '\(option)' needs a value")
        case POPT_ERROR_UNWANTEDARG: Problem(message: "option '\(option)' takes no value")
        default: Problem(message: "\(option): \(String(cString: poptStrerror(code)))")
        }
    }

    private func suggestion(for option: String) -> String {
        guard option.hasPrefix("--"), let name = Spelling.nearest(to: String(option.dropFirst(2)), among: names) else {
            return ""
        }
        return "; did you mean '--\(name)'?"
    }

    private func entry(_ form: OptionForm, value: Int32) -> popt_entry {
        var entry = popt_entry()
        entry.longName = UnsafePointer(keep(form.long))
        entry.shortName = form.short?.asciiValue.map { CChar(bitPattern: $0) } ?? 0
        entry.argInfo = UInt32(form.value == nil ? POPT_ARG_NONE : POPT_ARG_STRING)
        entry.val = value
        entry.descrip = UnsafePointer(keep(form.help))
        entry.argDescrip = form.value.map { UnsafePointer(keep($0)) }
        return entry
    }

    private func context(_ arguments: [String], flags: UInt32) -> poptContext? {
        // popt keeps pointers to the vector and its strings, not copies.
        let vector = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: arguments.count + 1)
        _ = vector.initialize(from: arguments.map { UnsafePointer(keep($0)) } + [nil])
        vectors.append(vector)
        let context = poptGetContext(
            arguments[0], Int32(arguments.count), vector.baseAddress, root.baseAddress, flags)
        precondition(context != nil, "no memory for the command line")
        return context
    }

    private func keep(_ text: String) -> UnsafeMutablePointer<CChar> {
        guard let copy = strdup(text) else { preconditionFailure("no memory for the command line") }
        strings.append(copy)
        return copy
    }
}
