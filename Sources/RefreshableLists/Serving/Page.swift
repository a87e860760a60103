import CPage

/// The page that every server serves: files that are part of the binary, so that a program that imports this library has
/// the page too.
enum Page {
    /// By the path at which a browser asks for them.
    static let files: [String: [UInt8]] = {
        let named = UnsafeBufferPointer(start: page_files, count: page_file_count).map { file in
            (String(cString: file.path), Array(UnsafeBufferPointer(start: file.bytes, count: file.size)))
        }
        return Dictionary(uniqueKeysWithValues: named)
    }()
}
