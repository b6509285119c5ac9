import { Identity1764547200000 } from './1764547200000-identity.js';
import { Workspaces1764547201000 } from './1764547201000-workspaces.js';
import { Documents1764547202000 } from './1764547202000-documents.js';
import { Publishing1764547203000 } from './1764547203000-publishing.js';
import { Outbox1764547204000 } from './1764547204000-outbox.js';
import { Webhooks1764547205000 } from './1764547205000-webhooks.js';
import { Operations1764547206000 } from './1764547206000-operations.js';
import { Search1764547207000 } from './1764547207000-search.js';
import { SliceLexemesAsArray1764547208000 } from './1764547208000-slice-lexemes-as-array.js';
import { WebhookTraffic1764547209000 } from './1764547209000-webhook-traffic.js';
import { ExternalIds1764547210000 } from './1764547210000-external-ids.js';
import { UniqueExternalIds1764547211000 } from './1764547211000-unique-external-ids.js';
import { Assets1764547212000 } from './1764547212000-assets.js';

/** All migrations, in the order in which they run. A released migration is never changed. */
export const migrations = [
  Identity1764547200000,
  Workspaces1764547201000,
  Documents1764547202000,
  Publishing1764547203000,
  Outbox1764547204000,
  Webhooks1764547205000,
  Operations1764547206000,
  Search1764547207000,
  SliceLexemesAsArray1764547208000,
  WebhookTraffic1764547209000,
  ExternalIds1764547210000,
  UniqueExternalIds1764547211000,
  Assets1764547212000,
];
