"""Files in Hadoop's file system, by the command `hadoop fs`."""
