import { useSearch } from '@tanstack/react-router';

/** Whether the page shows the documents of modules in the places of the references. */
export const useIsExpanded = (): boolean => useSearch({ strict: false }).expand === 'modules';
