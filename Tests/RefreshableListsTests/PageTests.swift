import Foundation
import Testing

@testable import RefreshableLists

struct PageTests {
    @Test func everyFileOfPublicIsInTheBinary() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Public")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }

        #expect(Set(Page.files.keys) == Set(names))
        for name in names {
            let bytes = try Data(contentsOf: folder.appending(path: name))
            // Compared first: a failure is not to print every byte.
            let isSame = Page.files[name] == Array(bytes)
            #expect(isSame, "\(name) in the binary is another.")
        }
    }
}
