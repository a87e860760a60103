// RefreshableLists
