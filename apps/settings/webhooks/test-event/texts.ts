export const words = {
  send: 'Send a test event',
  disabled: 'The webhook is disabled, so Galley sends no test event. Enable it first.',
  waiting: 'Waiting for the response of your receiver',
  paused: (time: string) => `The webhook is paused: Galley makes the next attempt ${time}`,
  pausedText:
    'Attempts have failed, so Galley pauses between attempts. You can send the test event now, ahead of all other deliveries.',
  sendNow: 'Send the test now',
  delivered: (status: number) => `Your receiver accepted the test event with status ${status}`,
  refused: (status: number) => `Your receiver responded with ${status}`,
  failed: 'The test event did not arrive',
  response: (duration: string) => `The response came after ${duration}.`,
  noResponse: (duration: string, error: string) => `Failed after ${duration}: ${error}.`,
  body: 'Response body',
  emptyBody: 'The response body is empty.',
  nextAttempt: (time: string) => `Next attempt: ${time}`,
  showDelivery: 'Show the whole delivery',
};
