import Foundation
import Testing

@testable import RefreshableLists

struct PageTests {
    @Test func everyFileOfResourcesIsInTheBinaryByItsPath() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CPage/Resources").standardizedFileURL
        // Folders are named without a dot.
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }

        #expect(Set(Page.files.keys) == Set(paths))
        for path in paths {
            let bytes = try Data(contentsOf: folder.appending(path: path))
            // Compared first: a failure is not to print every byte.
            let isSame = Page.files[path] == Array(bytes)
            #expect(isSame, "\(path) in the binary is another.")
        }
    }
}
