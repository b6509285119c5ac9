import type { MergeData } from '#rendering';
import { IsVersion } from '../publishing/publishing.dto.js';
import { IsLanguage, IsEmail, Optional } from '../validation/fields.js';
import { IsMergeData } from '../validation/merge-data-field.js';

export class SendTestEmailDto {
  @IsEmail(
    'The recipient: the verified email address of an active member of the workspace, or an address that the operator of Galley allows (`TEST_SEND_RECIPIENTS`).',
  )
  to!: string;

  @Optional()
  @IsVersion('The number of the version to send. The default is the latest version.')
  version?: number;

  @Optional()
  @IsLanguage('The language of the email. The default is the language of the document.')
  language?: string;

  @Optional()
  @IsMergeData(
    'The values for merge tags, conditions and repetitions. The default is the `sampleData` of the document.',
  )
  data?: MergeData;
}
