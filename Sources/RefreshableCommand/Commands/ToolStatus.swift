import ArgumentParser

/// How `refreshable` ends, for scripts that ask. The numbers from 64 are those of sysexits(3).
enum ToolStatus: Int32, CaseIterable {
    case success = 0
    case failure = 1
    /// `EX_USAGE`; ArgumentParser ends so by itself.
    case calledWrongly = 64
    /// `EX_DATAERR`.
    case faultyData = 65
    /// `EX_NOINPUT`.
    case noInput = 66
    /// `EX_CANTCREAT`.
    case cannotCreate = 73
    /// `EX_CONFIG`.
    case faultySettings = 78

    /// For help and documentation, which have it word by word.
    var meaning: String {
        switch self {
        case .success: "All went well, or it was told to end."
        case .failure: "A refresh, source or script failed; a server refused or can't be reached."
        case .calledWrongly: "It was called wrongly."
        case .faultyData: "Data is faulty: a line that `push` was given is no row."
        case .noInput: "A file is not there, or can't be read."
        case .cannotCreate: "A file can't be written, or is there already."
        case .faultySettings: "The settings are faulty."
        }
    }

    /// All of them, a line each.
    static var table: String {
        allCases.map { status in
            let number = "\(status.rawValue)"
            return "  \(number)\(String(repeating: " ", count: 4 - number.count))\(status.meaning)"
        }.joined(separator: "\n")
    }
}

extension ExitCode {
    /// A line of the input is not what it should be.
    static let faultyData = ExitCode(ToolStatus.faultyData.rawValue)
    /// An input file is not there or can't be read.
    static let noInput = ExitCode(ToolStatus.noInput.rawValue)
    /// A file can't be written, or is there already.
    static let cannotCreate = ExitCode(ToolStatus.cannotCreate.rawValue)
    /// Settings are faulty.
    static let faultySettings = ExitCode(ToolStatus.faultySettings.rawValue)
}
