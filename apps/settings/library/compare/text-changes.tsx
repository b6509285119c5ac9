import type { Comparison } from '#client';
import { Paper } from '@mantine/core';
import { comparison as words } from '../../texts/library/comparison.js';
import { ChangeLabel } from './change-label.js';
import { Sides } from './sides.js';
import { Value } from './value.js';
import classes from './comparison.module.css';

/** The texts beside the document that differ, such as the name. */
export function TextChanges({ comparison: { from, to, fields } }: { comparison: Comparison }) {
  return fields.map(({ name, before, after }) => (
    <Paper key={name} withBorder component="section" className={classes['change'] ?? ''}>
      <div className={classes['head']}>
        <ChangeLabel type="changed">{words.types.changed}</ChangeLabel>
        <strong>{words.texts[name] ?? name}</strong>
      </div>
      <Sides
        before={<Value value={before} side="before" version={from.version} absent="" />}
        after={<Value value={after} side="after" version={to.version} absent="" />}
      />
    </Paper>
  ));
}
