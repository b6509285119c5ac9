import { createContext, use } from 'react';

export const SampleReceiverContext = createContext<string | undefined>(undefined);

/** The URL of the sample receiver of this installation, if it has one. */
export const useSampleReceiver = (): string | undefined => use(SampleReceiverContext);
