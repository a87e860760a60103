import Foundation

@testable import ListProtocolTests
@testable import ListSourcesTests
@testable import RefreshableCommandTests
@testable import WebSocketsTests

/// The readers of what strangers write, by name. `Scripts/fuzz` gives them noise, and `FuzzCorpusTests` what noise has
/// found.
enum Fuzzer {
    /// What a reader got wrong with some bytes, other than to crash; nil: nothing.
    typealias Reader = @Sendable ([UInt8]) -> String?

    static let readers: [String: Reader] = {
        var readers: [String: Reader] = [:]
        for reader in ListProtocolTests.FuzzedReader.allCases { readers[reader.rawValue] = reader.fault }
        for reader in ListSourcesTests.FuzzedReader.allCases { readers[reader.rawValue] = reader.fault }
        for reader in RefreshableCommandTests.FuzzedReader.allCases { readers[reader.rawValue] = reader.fault }
        for reader in WebSocketsTests.FuzzedReader.allCases { readers[reader.rawValue] = reader.fault }
        return readers
    }()

    /// The one that the variable FUZZED_READER names.
    fileprivate static let chosen: Reader = {
        let name = ProcessInfo.processInfo.environment["FUZZED_READER"] ?? ""
        guard let reader = readers[name] else { fatalError("There is no reader called \"\(name)\".") }
        return reader
    }()
}

/// What libFuzzer calls with each input: https://llvm.org/docs/LibFuzzer.html. What a reader gets wrong is a crash, so
/// that libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    if let fault = Fuzzer.chosen(Array(UnsafeBufferPointer(start: start, count: count))) { fatalError(fault) }
    return 0
}
