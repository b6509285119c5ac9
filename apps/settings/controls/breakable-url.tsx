import { Fragment } from 'react';

/** Lets a URL wrap after a slash. Without this, the browser breaks it in the middle of a word. */
export function BreakableUrl({ children }: { children: string }) {
  return children.split(/(?<=\/)(?=[^/])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
