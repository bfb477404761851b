// What the pages' classic scripts share, for the type checker alone.
declare const vega: any;

interface Window {
  course: any;
}
