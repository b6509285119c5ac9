import digest from './digest.json';
import event from './event.json';
import invitation from './invitation.json';
import invoice from './invoice.json';
import letter from './letter.json';
import newsletter from './newsletter.json';
import passwordReset from './password-reset.json';
import receipt from './receipt.json';
import shipping from './shipping.json';
import welcome from './welcome.json';

/** Sample templates that demonstrate what Galley can render. Each sample has data for its merge tags. */
export const samples = [
  digest,
  event,
  invitation,
  invoice,
  letter,
  newsletter,
  passwordReset,
  receipt,
  shipping,
  welcome,
];
