// What the scripts of the pages use and tsc does not know.
interface Window {
  slrStored?: any;
  slrEntries?: (entries: any[]) => void;
  slrPlaces?: (places: Record<string, string>) => void;
  slrPreviews?: (page: string, previews: Record<string, string>) => void;
  slrSearch?: any;
}
// querySelector gives an Element; those that the pages ask for are elements of HTML.
interface Element extends HTMLOrSVGElement {
  hidden: boolean;
  elements: any;
}
// From the search of Sphinx and from slrbook.reading.
declare const slrStored: any;
declare const LETTERS: Record<string, string>;
declare const DOCUMENTATION_OPTIONS: any;
declare const Search: any;
declare const _displayItem: any;
declare const _finishSearch: any;
