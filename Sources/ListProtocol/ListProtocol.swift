// ListProtocol
