/** The texts of the sample receiver, which only installations for development have. */
export const sampleReceiver = {
  offer:
    'No receiver yet? “npm start” also runs a sample receiver on this machine. Its page shows every message.',
  use: 'Use the sample receiver',
  chosen: 'The page of the sample receiver shows every message. You choose there how it responds.',
  open: 'Open the sample receiver',
  createdText:
    'Send a test event to see a delivery. The other steps are for a receiver of your own: the sample receiver verifies no signature.',
};
