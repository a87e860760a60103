import Testing

@testable import RefreshableCommand

struct KeyPressTests {
    @Test(
        arguments: [
            ("r", [.refresh]), ("cq", [.stop, .quit]), ("\u{3}", [.quit]), ("\u{1B}[A\u{1B}[B", [.up, .down]),
            ("\u{1B}OA", [.up]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[1;5Cr", [.refresh]),
            ("/", [.find]), ("gG jk", [.top, .bottom, .pageDown, .down, .up]), ("xyz1", []), ("\u{1B}", []),
            ("\u{1B}[", []),
            ("\u{1B}q", [.quit]),
        ] as [(String, [KeyPress])])
    func keysAreReadFromWhatATerminalSends(typed: String, presses: [KeyPress]) {
        #expect(KeyPress.all(in: Array(typed.utf8)) == presses)
    }
}
