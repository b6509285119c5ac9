import { comparison as words } from '../../texts/library/comparison.js';
import { describePlace } from './pointers.js';
import classes from './comparison.module.css';

/** The version, and the place of the node in the document of the version. */
export function Place({ version, pointer }: { version: number; pointer: string | null }) {
  return (
    <p className={classes['place']}>
      <span className={classes['version']}>{words.version(version)}</span>
      {pointer === null ? words.absent : describePlace(pointer) || words.wholeDocument}
    </p>
  );
}
