import Foundation
import Testing

/// A small file system in memory, where this user may make one; elsewhere the test says so and passes.
enum MountedFolder {
    static func with(size: String, thenReadOnly: Bool = false, _ body: (String) throws -> Void) throws {
        #if os(Linux)
            let folder = try TemporaryFolder()
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(size)") == 0 else {
                print("Skipped: this user can't mount a file system (\(String(cString: strerror(errno)))).")
                return
            }
            defer { #expect(umount2(folder.path, Int32(MNT_DETACH)) == 0) }
            if thenReadOnly {
                let flags = UInt(MS_REMOUNT | MS_RDONLY)
                #expect(mount("tmpfs", folder.path, "tmpfs", flags, nil) == 0)
            }
            try body(folder.path)
        #else
            print("Skipped: only on Linux.")
        #endif
    }
}
