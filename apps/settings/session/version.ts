import { createContext, use } from 'react';

export const VersionContext = createContext<string | undefined>(undefined);

/** The version and the commit of the Galley that serves the page, if it says them. */
export const useVersion = (): string | undefined => use(VersionContext);
