import { ApiProperty } from '@nestjs/swagger';
import type { Module } from '#modules';
import {
  BatchResultOf,
  CreatedAt,
  DeletedResponse,
  DocumentReference,
  UpdatedAt,
  WithContent,
  WithOptionalContent,
  WrittenResponse,
  WrittenSummary,
} from '../documents/document.responses.js';
import { SyncPageOf } from '../validation/schemas.js';
import { CATEGORY_DOC, DESCRIPTION_DOC } from './modules.dto.js';

class ModuleSummaryResponse extends DocumentReference {
  @ApiProperty({ description: CATEGORY_DOC })
  category!: string;

  @ApiProperty({ description: DESCRIPTION_DOC })
  description!: string;

  @CreatedAt()
  createdAt!: Date;

  @UpdatedAt()
  updatedAt!: Date;
}

export class ModuleResponse extends WithContent(ModuleSummaryResponse) implements Module {}

class ListedModuleResponse extends WithOptionalContent(
  ModuleSummaryResponse,
  'omitted with `content=false`',
) {}

export class ModulePageResponse extends SyncPageOf(ListedModuleResponse) {}

class WrittenModuleResponse extends WrittenResponse {
  @WrittenSummary(ModuleSummaryResponse)
  module!: ModuleSummaryResponse;
}

class DeletedModuleResponse extends DeletedResponse {}

export class ModuleBatchResultResponse extends BatchResultOf(
  WrittenModuleResponse,
  DeletedModuleResponse,
) {}
