/** The length of a window, in seconds. The requests in a window are counted together. */
export const WINDOW_SECONDS = 60;

/** A policy counts either all requests from an IP address, or all requests of a user or API key. */
export type PolicyName = 'address' | 'user';

/** The keys under which a request is counted, as far as they are known. */
export type CallerKeys = { [Name in PolicyName]?: string | undefined };

/** The number of requests that a window allows. */
export interface Policy {
  name: PolicyName;
  quota: number;
}

/** The bucket in which a caller's requests are counted. */
export interface Bucket {
  policy: Policy;
  key: string;
}

/** How many requests a bucket has counted in its window, and when the window ends. */
export interface Usage extends Bucket {
  used: number;
  resetsInMs: number;
}

export const isOverQuota = ({ policy, used }: Usage): boolean => used > policy.quota;
