import Foundation

/// What libFuzzer calls with each input: https://llvm.org/docs/LibFuzzer.html. The reader is the one that the variable
/// FUZZED_READER names; what it gets wrong is a crash, so that libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    if let fault = reader.fault(of: Array(UnsafeBufferPointer(start: start, count: count))) { fatalError(fault) }
    return 0
}

private let reader: FuzzedReader = {
    let name = ProcessInfo.processInfo.environment["FUZZED_READER"] ?? ""
    guard let reader = FuzzedReader(rawValue: name) else { fatalError("There is no reader called \"\(name)\".") }
    return reader
}()
