"""Requirements for every picture, in either theme."""

import matplotlib

from slrbook.picture import style


def drawn(picture, theme):
    """Draw ``picture``; its text must be inside the frame, and it must have no title."""
    with matplotlib.rc_context(style.settings(theme, picture.width)):
        figure = picture.figure(theme)
        figure.canvas.draw()
        for axes in figure.axes:
            assert not axes.get_title()
            for text in axes.texts:
                box = text.get_window_extent()
                assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1, text.get_text()
                assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, text.get_text()
        return figure
