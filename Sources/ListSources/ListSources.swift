// ListSources
