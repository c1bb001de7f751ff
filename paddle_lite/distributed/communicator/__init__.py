"""The Communicator: what sends and receives for a trainer while its Program runs."""
