import { ApiProperty } from '@nestjs/swagger';
import type { RenderedDocument, RenderWarning, Variables } from '#rendering';

class RenderWarningResponse implements RenderWarning {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first 100 characters of the `id` of the node; null if the node has no `id`.',
  })
  nodeId!: string | null;

  @ApiProperty({
    description:
      'A JSON Pointer (RFC 6901) to the node, such as `/stripes/0/containers/1/blocks/2`.',
  })
  path!: string;

  @ApiProperty({ description: 'Describes what the HTML omits or shows differently.' })
  message!: string;
}

class VariablesResponse implements Variables {
  @ApiProperty({
    type: [String],
    description:
      'All variables of the document, such as `user.name`, or `order.items[].price` for each item of a list; at most 1,000.',
  })
  used!: string[];

  @ApiProperty({
    type: [String],
    description:
      'The variables of merge tags and repetitions that have no value in `data`; at most 1,000.',
  })
  missing!: string[];
}

export class RenderedResponse implements RenderedDocument {
  @ApiProperty({
    required: false,
    description:
      'The `fromName` of the document as a single line of plain text, at most 998 characters; omitted if the document has none.',
  })
  fromName?: string;

  @ApiProperty({
    required: false,
    description:
      'The `subject` of the document as a single line of plain text, at most 998 characters; omitted if the document has none.',
  })
  subject?: string;

  @ApiProperty({
    required: false,
    description:
      'The `preheader` of the document as a single line of plain text, at most 998 characters; omitted if the document has none. The HTML contains the preheader.',
  })
  preheader?: string;

  @ApiProperty({ required: false, description: 'The HTML of the email.' })
  html?: string;

  @ApiProperty({
    required: false,
    description: 'The email as plain text. Lines longer than 78 characters are wrapped.',
  })
  text?: string;

  @ApiProperty({
    required: false,
    description: 'The MJML from which Galley generated the HTML.',
  })
  mjml?: string;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    description:
      'Only if the request has a `language`: the most specific language that the email has texts in. Null if the email has no texts in the language, and the document does not say its own.',
  })
  language?: string | null;

  @ApiProperty({
    type: [RenderWarningResponse],
    description:
      'At most 100 warnings. Each describes a part of the document that the results omit or do not show as written.',
  })
  warnings!: RenderWarningResponse[];

  @ApiProperty()
  variables!: VariablesResponse;
}
