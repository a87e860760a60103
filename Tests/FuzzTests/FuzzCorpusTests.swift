import Foundation
import Testing

/// What `Scripts/fuzz` has found, and what it begins with: `Tests/Fuzz/Corpus`.
struct FuzzCorpusTests {
    private static let corpus = URL(filePath: #filePath).appending(path: "../../Fuzz/Corpus").standardized

    private static func files(_ folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    }

    @Test(arguments: Fuzzer.readers.keys.sorted())
    func noiseThatWasFoundIsRead(name: String) throws {
        let reader = try #require(Fuzzer.readers[name])
        let files = try Self.files(Self.corpus.appending(path: name))
        #expect(!files.isEmpty)
        for file in files {
            #expect(reader(Array(try Data(contentsOf: file))) == nil, "\(file.lastPathComponent)")
        }
    }

    /// `Scripts/fuzz` takes the names of the folders for those of the readers; two have a server, and `SocketCorpusTests`.
    @Test func whatHasACorpusHasAReader() throws {
        let names = try Self.files(Self.corpus).map(\.lastPathComponent)
        #expect(Set(names) == Set(Fuzzer.readers.keys).union(["frames", "http"]))
    }
}
