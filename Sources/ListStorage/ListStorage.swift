// ListStorage
