import Foundation
import Testing

/// What `Scripts/fuzz` has found, and what it begins with: `Tests/Fuzz/Corpus`.
struct FuzzCorpusTests {
    @Test(arguments: FuzzedReader.allCases)
    func noiseThatWasFoundIsRead(reader: FuzzedReader) throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Fuzz/Corpus/\(reader.rawValue)").standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            #expect(reader.fault(of: Array(try Data(contentsOf: file))) == nil, "\(file.lastPathComponent)")
        }
    }
}
