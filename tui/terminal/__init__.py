"""The terminal: taken over, given back in every case, and never fed what data says."""
