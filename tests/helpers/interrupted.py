"""Runs that are stopped on the way."""


def stopped_after(calls, module, name, monkeypatch):
    """Let ``module.name`` be interrupted after some calls; the list grows with each one made."""
    plain, made = getattr(module, name), []

    def counted(*given):
        if len(made) == calls:
            raise KeyboardInterrupt
        made.append(1)
        return plain(*given)

    monkeypatch.setattr(module, name, counted)
    return made
