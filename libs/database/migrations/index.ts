import { Identity1763683200000 } from './1763683200000-identity.js';
import { Documents1763683201000 } from './1763683201000-documents.js';
import { Outbox1763683202000 } from './1763683202000-outbox.js';
import { Webhooks1763683203000 } from './1763683203000-webhooks.js';
import { DeliveryEngine1763683204000 } from './1763683204000-delivery-engine.js';
import { EndpointSettings1763683205000 } from './1763683205000-endpoint-settings.js';
import { ApiKeys1763683206000 } from './1763683206000-api-keys.js';
import { Audit1763683207000 } from './1763683207000-audit.js';
import { Invitations1763683208000 } from './1763683208000-invitations.js';
import { WorkspaceDeletion1763683209000 } from './1763683209000-workspace-deletion.js';
import { Organizations1763683210000 } from './1763683210000-organizations.js';
import { ListIndexes1763683211000 } from './1763683211000-list-indexes.js';
import { TimesOfChanges1763683211500 } from './1763683211500-times-of-changes.js';
import { IdempotencyKeys1763683212000 } from './1763683212000-idempotency-keys.js';
import { EndpointWindow1763683213000 } from './1763683213000-endpoint-window.js';
import { ContentBytes1763683213200 } from './1763683213200-content-bytes.js';
import { RightsOfResponses1763683213400 } from './1763683213400-rights-of-responses.js';
import { DeliveryLog1763683213500 } from './1763683213500-delivery-log.js';
import { UnfinishedEvents1763683213600 } from './1763683213600-unfinished-events.js';
import { WebhookStatistics1763683213700 } from './1763683213700-webhook-statistics.js';
import { ModuleVersions1763683213800 } from './1763683213800-module-versions.js';
import { FirstModuleVersions1763683213900 } from './1763683213900-first-module-versions.js';
import { ModuleReferences1763683214000 } from './1763683214000-module-references.js';
import { VersionLabels1763683214100 } from './1763683214100-version-labels.js';
import { Trash1763683214200 } from './1763683214200-trash.js';
import { Publishing1763683214300 } from './1763683214300-publishing.js';
import { UsageUpdates1763683214400 } from './1763683214400-usage-updates.js';
import { Tags1763683214600 } from './1763683214600-tags.js';
import { Search1763683214700 } from './1763683214700-search.js';
import { CheckSettings1763683214800 } from './1763683214800-check-settings.js';
import { TraceContext1763683214900 } from './1763683214900-trace-context.js';
import { DocumentAuthors1763683214650 } from './1763683214650-document-authors.js';
import { ModuleVersionTimes1763683214500 } from './1763683214500-module-version-times.js';
import { Leases1763683215000 } from './1763683215000-leases.js';
import { EndpointsByStatus1763683215010 } from './1763683215010-endpoints-by-status.js';
import { EncryptionKeys1763683215031 } from './1763683215031-encryption-keys.js';
import { SearchWords1763683215100 } from './1763683215100-search-words.js';

/** All migrations, in the order in which they run. A released migration is never changed. */
export const migrations = [
  Identity1763683200000,
  Documents1763683201000,
  Outbox1763683202000,
  Webhooks1763683203000,
  DeliveryEngine1763683204000,
  EndpointSettings1763683205000,
  ApiKeys1763683206000,
  Audit1763683207000,
  Invitations1763683208000,
  WorkspaceDeletion1763683209000,
  Organizations1763683210000,
  ListIndexes1763683211000,
  TimesOfChanges1763683211500,
  IdempotencyKeys1763683212000,
  EndpointWindow1763683213000,
  ContentBytes1763683213200,
  RightsOfResponses1763683213400,
  DeliveryLog1763683213500,
  UnfinishedEvents1763683213600,
  WebhookStatistics1763683213700,
  ModuleVersions1763683213800,
  FirstModuleVersions1763683213900,
  ModuleReferences1763683214000,
  VersionLabels1763683214100,
  Trash1763683214200,
  Publishing1763683214300,
  UsageUpdates1763683214400,
  ModuleVersionTimes1763683214500,
  Tags1763683214600,
  DocumentAuthors1763683214650,
  Search1763683214700,
  CheckSettings1763683214800,
  TraceContext1763683214900,
  Leases1763683215000,
  EndpointsByStatus1763683215010,
  EncryptionKeys1763683215031,
  SearchWords1763683215100,
];
