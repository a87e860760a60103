// WebSockets
