/** A policy of requests counts either all requests from an IP address, or all requests of a user or API key. */
export type RequestPolicyName = 'address' | 'user';

/** The policy `test-sends` counts the test emails of a user or API key. */
export type PolicyName = RequestPolicyName | 'test-sends';

/** The length of a window, in seconds. The requests in a window are counted together. */
export const WINDOW_SECONDS: Readonly<Record<PolicyName, number>> = {
  address: 60,
  user: 60,
  'test-sends': 3_600,
};

export const windowMsOf = ({ name }: Policy): number => WINDOW_SECONDS[name] * 1_000;

/** The keys under which a request is counted. The user is not known before the token has been verified. */
export type CallerKeys = { [Name in PolicyName]?: string | undefined };

export interface Policy {
  name: PolicyName;
  /** The number of requests that a window allows. */
  quota: number;
}

/** Counts the requests of one caller for one policy. */
export interface Bucket {
  policy: Policy;
  key: string;
}

export interface Usage extends Bucket {
  /** The number of requests that the bucket has counted in the current window. */
  used: number;
  resetsInMs: number;
}

export const isOverQuota = ({ policy, used }: Usage): boolean => used > policy.quota;
