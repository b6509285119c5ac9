import type { JsonLine } from './json-lines.js';
import classes from './message.module.css';

export function JsonView({ lines }: { lines: readonly JsonLine[] }) {
  return (
    <>
      {lines.map(({ depth, tokens }, index) => (
        <span key={index}>
          {'  '.repeat(depth)}
          {tokens.map(({ kind, text }, position) => (
            <span key={position} className={classes[kind]}>
              {text}
            </span>
          ))}
          {'\n'}
        </span>
      ))}
    </>
  );
}
