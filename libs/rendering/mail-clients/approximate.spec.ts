import { expect, it } from '@jest/globals';
import { approximate } from './approximate.js';

const page = (head: string, body: string) =>
  `<html><head>${head}</head><body>${body}</body></html>`;

it.each([
  ['gmail', '<style>p{color:red}</style>'],
  ['gmail-app', ''],
  ['outlook-windows', '<style>p{color:red}</style>'],
  ['without-images', '<style>p{color:red}</style>'],
] as const)('%s keeps or drops style sheets', (client, expected) => {
  const html = page('<style type="text/css">p{color:red}</style>', '');
  const kept = approximate(html, client).replace(' type="text/css"', '');
  expect(kept).toBe(page(expected, ''));
});

it('Gmail drops long style sheets, fonts and dark mode', () => {
  const long = `<style>${'p{color:red}'.repeat(2_000)}</style>`;
  const dark = '<style>@media (prefers-color-scheme:dark){p{color:red}}</style>';
  const font = '<link href="https://a.example/" rel="stylesheet" type="text/css">';
  expect(approximate(page(long + dark + font, ''), 'gmail')).toBe(page('', ''));
});

it('Gmail drops the style sheet of accordions, so their texts are open', () => {
  const css = '<style>p{display:none}@goodbye { @gmail }</style>';
  expect(approximate(page(css, ''), 'gmail')).toBe(page('', ''));
});

it('only Outlook sees its comments', () => {
  const body = 'A<!--[if mso | IE]><table><![endif]--><!--[if !mso]><!-->B<!--<![endif]-->';
  expect(approximate(page('', body), 'outlook-windows')).toBe(page('', 'A<table>'));
  expect(approximate(page('', body), 'gmail')).toBe(page('', 'AB'));
});

it('Outlook ignores media queries and properties that Word does not know', () => {
  const css = '@media only screen and (min-width:480px){.a{width:50%}.b{width:1%}}.c{mso-hide:all}';
  const button =
    '<td style="border-radius:6px;mso-padding-alt:12px 24px;background:#fff url(https://a.example/;b)">';
  expect(approximate(page(`<style>${css}</style>`, button), 'outlook-windows')).toBe(
    page('<style>.c{display:none}</style>', '<td style="padding:12px 24px">'),
  );
});

it('keeps quotes in the names of fonts', () => {
  const body = '<p style="font-family:Georgia, &#39;Times New Roman&#39;, serif;color:#fff">';
  expect(approximate(page('', body), 'outlook-windows')).toBe(page('', body));
});

it('Apple Mail shows the colours for dark mode, or inverts the colours', () => {
  const css = '<style>@media (prefers-color-scheme:dark){p{color:red}}</style>';
  expect(approximate(page(css, ''), 'apple-mail-dark')).toContain('@media all{p{color:red}}');
  expect(approximate(page('', ''), 'apple-mail-dark')).toContain('filter:invert(1)');
});

it('without images, there are alternative texts and no backgrounds', () => {
  const body =
    'write src="x"<img alt="A" src="https://a.example/"><td background="x" style="background:#fff url(\'x\');background-image:url(x)">';
  expect(approximate(page('', body), 'without-images')).toBe(
    page('', 'write src="x"<img alt="A"><td style="background:#fff">'),
  );
});

it('takes little time for a large email', () => {
  const cell = '<td style="color:#fff;padding:1px"><!--[if mso]><p><![endif]--></td>';
  const html = page(`<style>${'@media x{a{b:c}'.repeat(5_000)}</style>`, cell.repeat(50_000));
  const begun = performance.now();
  for (const client of ['gmail', 'outlook-windows', 'without-images'] as const) {
    approximate(html, client);
  }
  expect(performance.now() - begun).toBeLessThan(3_000);
});
