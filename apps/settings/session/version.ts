import { createContext, use } from 'react';

export const VersionContext = createContext<string | undefined>(undefined);

/** The version and the commit of the Galley that serves the page; undefined if its configuration has none. */
export const useVersion = (): string | undefined => use(VersionContext);
