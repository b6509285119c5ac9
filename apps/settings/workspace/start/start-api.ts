import { getRouteApi } from '@tanstack/react-router';

export const startApi = getRouteApi('/');
