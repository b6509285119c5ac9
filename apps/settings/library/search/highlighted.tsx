import type { HighlightPart } from '#client';
import classes from './results.module.css';

/** A text whose matching words are marked. The API sends plain text in parts, which stays text here. */
export function Highlighted({ parts }: { parts: readonly HighlightPart[] }) {
  return parts.map(({ text, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className={classes['match']}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
