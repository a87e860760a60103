extension RefreshableList {
    /// Lets other programs change the rows over HTTP: `PATCH /lists/NAME`, `PUT` and `DELETE /lists/NAME/rows/KEY`.
    ///
    /// What they push is kept through a run that is under way; the next one decides anew, where there is a handler. From
    /// other machines they need the server's `pushToken`. Code of this process edits its `LiveList` without being asked.
    public func acceptsPushes(_ isOn: Bool = true) -> Self { with { $0.acceptsPushes = isOn } }
}
