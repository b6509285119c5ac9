/** How long requests are counted together, in seconds. */
export const WINDOW_SECONDS = 60;

/** What a policy counts: all that comes from an address, or all that a user or API key sends. */
export type PolicyName = 'address' | 'user';

/** Who sends a request, as far as that is known. */
export type CallerKeys = { [Name in PolicyName]?: string | undefined };

/** So many requests in a window. */
export interface Policy {
  name: PolicyName;
  quota: number;
}

/** Where somebody's requests are counted. */
export interface Bucket {
  policy: Policy;
  key: string;
}

/** How often a bucket has been counted in its window, and when that ends. */
export interface Usage extends Bucket {
  used: number;
  resetsInMs: number;
}

export const isOverQuota = ({ policy, used }: Usage): boolean => used > policy.quota;
