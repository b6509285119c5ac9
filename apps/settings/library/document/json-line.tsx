import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import { ReferenceLink } from './reference-link.js';
import type { JsonRow } from './json-rows.js';
import classes from './json-tree.module.css';

interface JsonLineProps {
  row: JsonRow;
  mark?: ReactNode;
  onToggle: (path: string) => void;
}

// Deeper levels are indented no further, so that a phone still shows their text.
const MAX_INDENT = 16;

export function JsonLine({ row, mark, onToggle }: JsonLineProps) {
  const { path, depth, key, kind, text, hiddenCount, isExpanded, hasComma, reference } = row;
  const { library } = texts;
  const Chevron = isExpanded ? IconChevronDown : IconChevronRight;
  return (
    <div
      className={classes['row']}
      data-marked={mark !== undefined}
      style={{ paddingLeft: `${Math.min(depth, MAX_INDENT)}em` }}
    >
      {isExpanded === undefined ? (
        <span className={classes['gap']} />
      ) : (
        <button
          type="button"
          className={classes['toggle']}
          aria-expanded={isExpanded}
          aria-label={library.toggle(key ?? (depth === 0 ? library.root : text))}
          onClick={() => onToggle(path)}
        >
          <Chevron size={14} aria-hidden />
        </button>
      )}
      <span>
        {key !== undefined && (
          <>
            <span className={classes['key']}>{JSON.stringify(key)}</span>:{' '}
          </>
        )}
        <span className={classes[kind]}>{text}</span>
        {hasComma && ','}
        {hiddenCount !== undefined && (
          <span className={classes['hidden']}>{describeHidden(kind, hiddenCount)}</span>
        )}
        {mark && <span className={classes['mark']}>{mark}</span>}
        {reference && <ReferenceLink reference={reference} />}
      </span>
    </div>
  );
}

function describeHidden(kind: JsonRow['kind'], count: number): string {
  if (kind === 'array') return texts.library.elements(count);
  return kind === 'object' ? texts.library.fields(count) : texts.library.moreCharacters(count);
}
