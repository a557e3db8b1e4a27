"""Pictures and tables that two or more algorithms show."""
