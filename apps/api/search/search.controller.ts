import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Search } from '#documents';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { QueryDto } from '../validation/inputs.js';
import { SearchQueryDto } from './search.dto.js';
import { SearchPageResponse } from './search.responses.js';

@ApiTags('Search')
@Controller('api/search')
export class SearchController {
  constructor(private readonly service: Search) {}

  @Operation({
    id: 'search',
    summary: 'Search templates and modules',
    description:
      'Finds the templates and modules of a workspace whose name or text contains all words of `query`. A change appears in the results about a second later. The search ignores case and accents. Results whose name begins with the query come first, then results whose names contain the most words of the query, then the most recently changed results. If nothing matches, the results are items with similar names; Galley looks only at the 1,000 templates and 1,000 modules that changed last. If more than 250 items match, the results contain only 250 of them, and up to 250 others whose names match. To find the others, add a word to `query`.',
    role: 'viewer',
    response: SearchPageResponse,
  })
  @Get()
  search(@CurrentActor() actor: Actor, @QueryDto() query: SearchQueryDto) {
    return this.service.search(actor, query);
  }
}
