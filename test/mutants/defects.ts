import { access } from './access.ts';
import type { Defect } from './defect.ts';
import { delivery } from './delivery.ts';
import { documents } from './documents.ts';
import { lists } from './lists.ts';
import { operations } from './operations.ts';
import { personalisation } from './personalisation.ts';
import { publishing } from './publishing.ts';
import { requests } from './requests.ts';
import { sending } from './sending.ts';

export const defects: readonly Defect[] = [
  ...access,
  ...requests,
  ...documents,
  ...lists,
  ...publishing,
  ...delivery,
  ...sending,
  ...operations,
  ...personalisation,
];
