/** The texts of the sample receiver, which only installations for development have. */
export const sampleReceiver = {
  use: 'Use the sample receiver of this installation',
  chosen: 'The sample receiver accepts all events and shows them.',
  open: 'Open the sample receiver',
  createdText:
    'Send a test event to see a delivery. The other steps are for a receiver of your own: the sample receiver verifies no signature.',
};
