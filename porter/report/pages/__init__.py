"""HTML pages of reports: one frame, its styles and scripts (`assets/`), and one module for the content of each page."""
