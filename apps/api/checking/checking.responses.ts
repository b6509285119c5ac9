import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { CheckResult, Finding, RuleName, Severity } from '#rendering';
import type { CheckLevel, WorkspaceCheckSettings } from '#workspaces';
import { enumProperty } from '../validation/enums.js';

class FindingResponse implements Finding<RuleName> {
  @ApiProperty(enumProperty('CheckRule'))
  rule!: RuleName;

  @ApiProperty(enumProperty('CheckSeverity'))
  severity!: Severity;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first 100 characters of the `id` of the node; null if the node has no `id`.',
  })
  nodeId!: string | null;

  @ApiProperty({
    description:
      'A JSON Pointer (RFC 6901) to the node, such as `/stripes/0/containers/1/blocks/2`. Empty if the finding is about the whole document.',
  })
  path!: string;

  @ApiProperty({ description: 'What is wrong.' })
  message!: string;

  @ApiProperty({ description: 'What to do about the finding.' })
  help!: string;
}

class FindingCountsResponse implements Record<Severity, number> {
  @ApiProperty({ type: 'integer' })
  error!: number;

  @ApiProperty({ type: 'integer' })
  warning!: number;

  @ApiProperty({ type: 'integer' })
  info!: number;
}

export class CheckedResponse implements CheckResult<RuleName> {
  @ApiProperty({
    type: [FindingResponse],
    description:
      'At most 200 findings: errors first, then warnings, then findings with the severity `info`.',
  })
  findings!: FindingResponse[];

  @ApiProperty({
    description:
      'The number of findings of each severity, including findings that `findings` omits. The rule `not-drawn` reports at most 100 findings.',
  })
  counts!: FindingCountsResponse;
}

export const LEVELS_SCHEMA = {
  type: 'object',
  additionalProperties: { $ref: '#/components/schemas/CheckLevel' },
  description: 'The levels that differ from the default, by rule name.',
} satisfies ApiPropertyOptions;

export class CheckSettingsResponse implements WorkspaceCheckSettings {
  @ApiProperty(LEVELS_SCHEMA)
  levels!: Record<string, CheckLevel>;

  @ApiProperty({ description: 'Whether errors prevent a version from being published.' })
  errorsBlockPublishing!: boolean;
}

class CheckRuleDescriptionResponse {
  @ApiProperty(enumProperty('CheckRule'))
  name!: RuleName;

  @ApiProperty({
    ...enumProperty('CheckSeverity'),
    description:
      'The severity of the findings of this rule, unless the workspace sets another level.',
  })
  severity!: Severity;

  @ApiProperty({ description: 'What to do about a finding.' })
  help!: string;
}

export class CheckSettingsWithRulesResponse extends CheckSettingsResponse {
  @ApiProperty({ type: [CheckRuleDescriptionResponse], description: 'All rules.' })
  rules!: readonly CheckRuleDescriptionResponse[];
}
