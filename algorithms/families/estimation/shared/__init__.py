"""What two or more algorithms of this family use."""
