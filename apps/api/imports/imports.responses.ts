import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { ImportOutcome, ImportReport, ReportEntry } from '#rendering';
import { enumProperty } from '../validation/enums.js';

class ImportReportEntryResponse implements ReportEntry {
  @ApiProperty(enumProperty('ImportOutcome'))
  outcome!: ImportOutcome;

  @ApiProperty({
    description:
      'The part in the imported content: the names of its elements, such as `mjml/mj-body[1]/mj-section[2]`, or a JSON Pointer (RFC 6901) for the object of an editor.',
  })
  source!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'A JSON Pointer (RFC 6901) to the node of the document that the part became, such as `/stripes/0/containers/1/blocks/2`; null if the entry is about no single node.',
  })
  path!: string | null;

  @ApiProperty({ description: 'What is different, and why.' })
  message!: string;
}

class ImportReportResponse implements ImportReport {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many nodes of each type the document has, by type.',
  })
  understood!: Record<string, number>;

  @ApiProperty({
    type: [ImportReportEntryResponse],
    description:
      'The parts that are different in the document. At most 200. An empty list means that Galley understood the whole content.',
  })
  entries!: ImportReportEntryResponse[];

  @ApiProperty({
    type: 'integer',
    description: 'How many entries are left out, because there are more than 200.',
  })
  omitted!: number;
}

export class ImportedResponse {
  @ApiProperty({
    allOf: [{ $ref: getSchemaPath('EmailDocument') }],
    description: 'The document. Create a template with it as `content`.',
  })
  document!: object;

  @ApiProperty()
  report!: ImportReportResponse;
}
