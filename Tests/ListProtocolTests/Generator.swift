/// Random numbers from a seed (SplitMix64), so that a run that failed can be run again.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A text of letters, signs that JSON escapes, and scalars of every length.
    mutating func text(upTo length: Int) -> String {
        let letters = Array<Character>("abcxyz019 \"\\/\n\u{0}\u{7F}é\u{301}漢😂")
        return String((0..<Int.random(in: 1...length, using: &self)).map { _ in letters.randomElement(using: &self)! })
    }

    /// What `make` gives, or nil about one time in three.
    mutating func maybe<Value>(_ make: (inout Generator) -> Value) -> Value? {
        Int.random(in: 0..<3, using: &self) == 0 ? nil : make(&self)
    }

    /// A whole number of any size below 2^53.
    mutating func whole() -> Int {
        Int.random(in: 0..<(1 << 53), using: &self) >> Int.random(in: 0..<53, using: &self)
    }
}
