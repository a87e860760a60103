// Pulling
