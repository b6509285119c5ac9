import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { texts } from '../texts.js';

// Shades of #0b6b57, the accent colour of Galley's other pages. These pairs have a contrast above 4.5:1: white on
// shades 6 and 7, shade 7 on white, and shade 4 on the dark background.
const galley: MantineColorsTuple = [
  '#e6f7f3',
  '#cdebe4',
  '#9dd7c9',
  '#6ad4b8',
  '#46b99c',
  '#2b9d82',
  '#148570',
  '#0b6b57',
  '#085646',
  '#044135',
];

// The scroll bar is always visible (global.css), so a dialog must neither remove it nor compensate for its width.
const KEEP_SCROLL_BAR = { removeScrollBar: false };
const CLOSE_BUTTON = { 'aria-label': texts.common.close };

export const theme = createTheme({
  primaryColor: 'galley',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: { galley },
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  headings: { fontWeight: '650' },
  components: {
    Modal: {
      defaultProps: { closeButtonProps: CLOSE_BUTTON, removeScrollProps: KEEP_SCROLL_BAR },
    },
    Notification: { defaultProps: { closeButtonProps: CLOSE_BUTTON } },
  },
});

/** Replaces Mantine colours whose text contrast is only 2.6:1 to 3.9:1. WCAG 2.2 requires 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    // The border of inputs (global.css). Its contrast is 3.3:1 on white and 4.1:1 on a dark input, and must be at least
    // 3:1.
    '--galley-input-border': '#868e96',
  },
  light: {
    '--mantine-color-dimmed': '#5b6269',
    '--mantine-color-placeholder': '#6c737a',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-red-outline': '#c92a2a',
    '--mantine-color-red-light-color': '#a61e1e',
    '--mantine-color-yellow-light-color': '#7a4b00',
    '--mantine-color-blue-light-color': '#155a9c',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a8ae',
    '--mantine-color-placeholder': '#999fa5',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
  },
});

/** The nonce of this page load. The Content-Security-Policy requires it for the style elements that Mantine adds. */
export const cspNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
