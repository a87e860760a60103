extension JSONReader {
    /// Reads the object that comes next into its canonical form. A name that an object has twice, and a number beyond the
    /// doubles, are errors.
    public mutating func readFields() throws(JSONError) -> Fields {
        guard try peek() == .object else { throw expected("an object") }
        var canonicaliser = Canonicaliser(reserving: min(bytes.count - offset, 1024))
        try canonicaliser.object(from: &self)
        return Fields(canonical: canonicaliser.json.bytes)
    }
}
