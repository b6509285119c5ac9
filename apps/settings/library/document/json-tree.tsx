import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { toJsonRows, type JsonRow, type ModuleReference } from './json-rows.js';
import classes from './json-tree.module.css';
import { words } from './texts.js';

/** Labels that the tree shows at the ends of lines, by the path of the line. */
export type Marks = ReadonlyMap<string, ReactNode>;

interface JsonTreeProps {
  content: unknown;
  /** Marked lines are highlighted and initially visible. */
  marks?: Marks | undefined;
  isAllExpanded: boolean;
}

const ROW_HEIGHT = 22;
// Initially, the document and its top-level fields are expanded, and deeper values are collapsed.
const INITIAL_DEPTH = 2;

/** Renders only the visible lines, so that 1 MiB of JSON appears as fast as 1 KiB. */
export function JsonTree({ content, marks, isAllExpanded }: JsonTreeProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [toggledPaths, setToggledPaths] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => {
    const maxDepth = isAllExpanded ? Number.MAX_SAFE_INTEGER : INITIAL_DEPTH;
    const parents = parentsOf(marks);
    return toJsonRows(content, (path, depth) => {
      const isExpandedAtFirst = depth < maxDepth || parents.has(path);
      return isExpandedAtFirst !== toggledPaths.has(path);
    });
  }, [content, marks, isAllExpanded, toggledPaths]);
  // The rule warns that the React Compiler would reuse stale results of the virtualizer. Galley does not use the
  // compiler.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.path ?? index,
    overscan: 20,
  });
  const toggle = (path: string) => {
    const paths = new Set(toggledPaths);
    if (!paths.delete(path)) paths.add(path);
    setToggledPaths(paths);
  };
  return (
    <div
      ref={scroller}
      className={classes['scroller']}
      tabIndex={0}
      role="group"
      aria-label={words.treeLabel}
    >
      <div className={classes['lines']} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={classes['line']}
                style={{ transform: `translateY(${start}px)` }}
              >
                <JsonLine row={row} mark={marks?.get(row.path)} onToggle={toggle} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

/** The paths of all values that contain a marked line. */
function parentsOf(marks: Marks = new Map()): ReadonlySet<string> {
  const parents = new Set<string>();
  for (const path of marks.keys()) {
    const indexes = path.split('.');
    while (indexes.pop() && indexes.length > 0) parents.add(indexes.join('.'));
  }
  return parents;
}

interface JsonLineProps {
  row: JsonRow;
  mark?: ReactNode;
  onToggle: (path: string) => void;
}

// Deeper levels are not indented any further, so that their text stays visible on a phone.
const MAX_INDENT = 16;

function JsonLine({ row, mark, onToggle }: JsonLineProps) {
  const { path, depth, key, kind, text, hiddenCount, isExpanded, hasComma, reference } = row;
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
          aria-label={words.toggle(key ?? (depth === 0 ? words.root : text))}
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
  if (kind === 'array') return words.elements(count);
  return kind === 'object' ? words.fields(count) : words.moreCharacters(count);
}

/** Links to the referenced module, or to its pinned version. */
function ReferenceLink({ reference }: { reference: ModuleReference }) {
  const { id, name, version, isPinned, problem } = reference;
  const workspaceId = useWorkspaceId();
  const params = { workspaceId, documentId: id };
  const className = classes['reference'] ?? '';
  if (problem !== undefined) return null;
  return isPinned ? (
    <LinkAnchor
      to="/w/$workspaceId/modules/$documentId/versions/$version"
      params={{ ...params, version: String(version) }}
      className={className}
    >
      {words.referenceTo(name, version)}
    </LinkAnchor>
  ) : (
    <LinkAnchor to="/w/$workspaceId/modules/$documentId" params={params} className={className}>
      {words.referenceTo(name, undefined)}
    </LinkAnchor>
  );
}
