"""Pictures and tables that two or more families show."""
