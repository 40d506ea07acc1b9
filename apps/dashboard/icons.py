"""The icons of the pages: strokes on a 24 × 24 grid, drawn in the colour of the text around them."""

from typing import Final

# Those that point somewhere are mirrored where lines run from right to left.
MIRRORED: Final = frozenset({"back", "forward", "sign_out", "send"})

PATHS: Final = {
    "overview": "M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4v-5H9v5H5a1 1 0 0 1-1-1z",
    "sources": "M5 6c0-1.1 3.1-2 7-2s7 .9 7 2-3.1 2-7 2-7-.9-7-2zM5 6v6c0 1.1 3.1 2 7 2s7-.9 7-2V6M5 12v6c0 1.1 3.1 2 7 "
    "2s7-.9 7-2v-6",
    "search": "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20",
    "agents": "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM8.5 10.5h.01M12 "
    "10.5h.01M15.5 10.5h.01",
    "documents": "M7 3h7l4 4v13a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM14 3v4h4M9 12h6M9 16h6",
    "clients": "M9 4v4M15 4v4M7 8h10v4a5 5 0 0 1-10 0zM12 17v4",
    "secrets": "M7 11h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM9 11V8a3 3 0 0 1 6 0v3",
    "webhooks": "M13 3 5 14h6l-1 7 8-11h-6z",
    "keys": "M15.5 13a4.5 4.5 0 1 0-4.3-3.2L4 17v3h3v-2h2.5v-2.5l2.6-2.6M16 8h.01",
    "members": "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.3 2.7-6 6-6s6 2.7 6 6M16 4.3a3.5 3.5 0 0 1 0 "
    "6.4M17.5 14.3c2.1.8 3.5 2.9 3.5 5.7",
    "audit": "M8 5H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1h-2M9 3h6v4H9zM9 12h6M9 16h4",
    "settings": "M4 6h9M17 6h3M15 4v4M4 12h3M11 12h9M9 10v4M4 18h9M17 18h3M15 16v4",
    "plus": "M12 5v14M5 12h14",
    "check": "M5 12.5 10 17l9-10",
    "cross": "M6 6l12 12M18 6 6 18",
    "warning": "M12 4 2.8 19.5h18.4zM12 10v4M12 17h.01",
    "info": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8h.01",
    "menu": "M4 7h16M4 12h16M4 17h16",
    "down": "M6 9l6 6 6-6",
    "up": "M6 15l6-6 6 6",
    "forward": "M9 6l6 6-6 6",
    "back": "M15 6l-6 6 6 6",
    "globe": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c2.5 2.5 3.5 5.7 3.5 9s-1 6.5-3.5 9c-2.5-2.5-3.5-5.7-"
    "3.5-9s1-6.5 3.5-9z",
    "person": "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21c0-4 3.4-6.5 7.5-6.5s7.5 2.5 7.5 6.5",
    "sign_out": "M10 4H5a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h5M15 8l4 4-4 4M19 12H9",
    "sync": "M20 11a8 8 0 0 0-14.3-4L4 9M4 4v5h5M4 13a8 8 0 0 0 14.3 4l1.7-2M20 20v-5h-5",
    "remove": "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5",
    "edit": "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
    "copy": "M9 9h10v11H9zM5 15V4h10",
    "download": "M12 5v11M7.5 11.5 12 16l4.5-4.5M5 19h14",
    "upload": "M12 16V5M7.5 9.5 12 5l4.5 4.5M5 19h14",
    "clock": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
    "mail": "M4 6h16v12H4zM4 7l8 6 8-6",
    "shield": "M12 3l7 3v5c0 4.6-2.9 8.2-7 10-4.1-1.8-7-5.4-7-10V6zM9 12l2 2 4-4",
    "send": "M4 12 20 4l-6 16-3-7z",
    "code": "M8 7l-5 5 5 5M16 7l5 5-5 5",
}
