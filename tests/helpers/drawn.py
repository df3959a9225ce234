"""What every picture must keep to, in either theme."""

import matplotlib

from slrbook.picture import style


def drawn(picture, theme):
    """The figure of ``picture`` after it was drawn, with every text inside its frame, no title."""
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
