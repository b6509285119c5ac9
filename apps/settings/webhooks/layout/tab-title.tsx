import { texts } from '../../texts/index.js';
import { useWebhook } from '../webhook-queries.js';
import { nameOfWebhook } from './webhook-name.js';

/** Sets the title of the browser's tab, for views below `webhookRoute`: view, webhook and product. */
export function TabTitle({ children }: { children: string }) {
  const { data } = useWebhook();
  const name = data ? `${nameOfWebhook(data.webhook)} · ` : '';
  return <title>{`${children} · ${name}${texts.navigation.productName}`}</title>;
}
