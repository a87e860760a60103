extension JSONReader {
    /// Reads the object that comes next into its canonical form.
    public mutating func readFields() throws(JSONError) -> Fields {
        Fields(try readMembers())
    }
}
