import { Module } from '@nestjs/common';
import { Search } from './search.js';
import { Tags } from './tags.js';

@Module({ providers: [Search, Tags], exports: [Search, Tags] })
export class FindingModule {}
