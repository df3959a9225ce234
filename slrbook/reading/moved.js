// An old address whose section moved to another page still works: if this page lacks the anchor and
// exactly one other page of the book has it, the reader is redirected. The state of an explorer
// (#find_token:seed=3) is redirected to a page with that explorer.
(() => {
  const root = document.documentElement;
  const look = () => {
    let hash = location.hash.slice(1);
    try {
      hash = decodeURIComponent(hash);
    } catch {} // invalid percent encoding
    const [, explorer] = /^([a-z]\w*):/.exec(hash) || [];
    const name = explorer ? `${explorer}:` : hash;
    const here = explorer
      ? document.querySelector(`.slr-explorer[data-name="${explorer}"]`)
      : document.getElementById(name) || document.getElementsByName(name).length;
    if (!name || here) return;
    const home = new URL(root.dataset.content_root, location.href);
    window.slrPlaces = (places) => {
      if (!Object.hasOwn(places, name)) return;
      const place = places[name]; // a page, or the address of a renamed anchor
      location.replace(new URL(/#/.test(place) ? place : `${place}.html${location.hash}`, home));
    };
    const script = document.createElement("script");
    script.src = new URL("_static/slr-places.js", home).href;
    document.head.append(script);
  };
  addEventListener("DOMContentLoaded", look);
  addEventListener("hashchange", look);
})();
