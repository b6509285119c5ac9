import type { NodeChange } from '#client';
import { Paper } from '@mantine/core';
import type { Version } from '../kinds.js';
import { ChangeLabel, Sides, Value } from './change-parts.js';
import classes from './comparison.module.css';
import { describePlace, valueAt } from './pointers.js';
import { words } from './texts.js';

interface ChangeEntryProps {
  change: NodeChange;
  from: Version;
  to: Version;
  isComplete: boolean;
}

/** Shows one change to a node: the whole node or only its changed fields, in both versions. */
export function ChangeEntry({ change, from, to, isComplete }: ChangeEntryProps) {
  const { type, path, fromPath, fields, matchedBy, sentence } = change;
  const absent = isComplete ? words.notSet : words.notSetOrTooLarge;
  const before = { side: 'before', version: from.version } as const;
  const after = { side: 'after', version: to.version } as const;
  return (
    <Paper withBorder component="li" className={classes['change'] ?? ''}>
      <div className={classes['head']}>
        <ChangeLabel type={type}>{words.types[type]}</ChangeLabel>
        <strong>{sentence}</strong>
        {matchedBy && path !== '' && (
          <span className={classes['hint']}>{words.matchedBy[matchedBy]}</span>
        )}
      </div>
      <Sides
        before={<Place version={from.version} pointer={fromPath} />}
        after={<Place version={to.version} pointer={path} />}
      />
      {type === 'removed' && (
        <Sides
          before={<Value {...before} value={valueAt(from.content, fromPath)} absent={absent} />}
          after={null}
        />
      )}
      {type === 'added' && (
        <Sides
          before={null}
          after={<Value {...after} value={valueAt(to.content, path)} absent={absent} />}
        />
      )}
      {fields.map((field) => (
        <div key={field.name}>
          <p className={classes['field']}>{field.name}</p>
          <Sides
            before={<Value {...before} value={field.before} absent={absent} />}
            after={<Value {...after} value={field.after} absent={absent} />}
          />
        </div>
      ))}
    </Paper>
  );
}

/** Shows the position of the node in one version, or that this version does not contain the node. */
function Place({ version, pointer }: { version: number; pointer: string | null }) {
  return (
    <p className={classes['place']}>
      <span className={classes['version']}>{words.version(version)}</span>
      {pointer === null ? words.absent : describePlace(pointer) || words.wholeDocument}
    </p>
  );
}
