"""What strategies of compression share: their times, their context, their configuration."""
