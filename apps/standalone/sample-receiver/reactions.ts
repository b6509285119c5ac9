export interface Reaction {
  /** The value of the reaction in the page's form. */
  name: string;
  label: string;
  statusCode: number;
  delayMs: number;
  isFailure: boolean;
  /** The consequence for a webhook with this receiver. */
  effect: string;
}

/** How the sample receiver can respond to messages. The receiver starts with the first reaction. */
export const REACTIONS: readonly [Reaction, ...Reaction[]] = [
  {
    name: 'accept',
    label: 'Respond with 200',
    statusCode: 200,
    delayMs: 0,
    isFailure: false,
    effect: 'Every message is delivered.',
  },
  {
    name: 'fail',
    label: 'Respond with 500',
    statusCode: 500,
    delayMs: 0,
    isFailure: true,
    effect:
      'Every attempt fails. Galley makes up to ten attempts for each message, within about 75 hours.',
  },
  {
    name: 'delay',
    label: 'Respond after 30 s',
    statusCode: 200,
    // Galley waits 15 seconds for a response.
    delayMs: 30_000,
    isFailure: true,
    effect: 'Every attempt fails, because Galley waits at most 15 s for a response.',
  },
];
