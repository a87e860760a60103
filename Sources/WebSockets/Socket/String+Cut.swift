extension String {
    /// The longest beginning that has at most so many bytes of UTF-8.
    func cut(toBytes limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: limit)
        while String.Index(end, within: self) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }
}
