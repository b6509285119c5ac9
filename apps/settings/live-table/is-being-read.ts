// The height of the header, which covers the top of the view.
const HEADER_HEIGHT = 56;

/** Whether the table begins above the window or has the keyboard focus. Its rows must not move then. */
export const isBeingRead = (table: HTMLTableElement | null): boolean =>
  table !== null &&
  (table.getBoundingClientRect().top < HEADER_HEIGHT || table.contains(document.activeElement));
