extension StringProtocol {
    /// RFC 9110 §5.6.2.
    var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60,
                    0x7C, 0x7E:
                    true
                default: false
                }
            }
    }
}
