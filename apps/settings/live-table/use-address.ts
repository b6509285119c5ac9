import { useLocation } from '@tanstack/react-router';

/** The URL path of this view, including the base path and without the query. */
export const useAddress = (): string =>
  useLocation({ select: ({ pathname }) => import.meta.env.BASE_URL.replace(/\/$/, '') + pathname });
