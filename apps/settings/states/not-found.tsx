import { texts } from '../texts/index.js';
import { EmptyState } from './empty-state.js';

export function NotFound() {
  return <EmptyState title={texts.common.notFoundTitle} text={texts.common.notFoundText} />;
}
