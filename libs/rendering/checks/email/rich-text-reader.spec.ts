import { describe, expect, it } from '@jest/globals';
import { readRichText } from './rich-text-reader.js';

const STYLE = {
  colour: [0, 0, 0],
  background: { colour: [255, 255, 255] as const },
  fontSize: 13,
  isBold: false,
} as const;
const read = (html: string) => readRichText(html, STYLE);

describe('paragraphs', () => {
  it.each([
    ['One', ['One']],
    ['', []],
    ['<p>One</p><p>Two</p>', ['One', 'Two']],
    ['One<br>Two<br />Three', ['One', 'Two', 'Three']],
    ['One<hr>Two', ['One', 'Two']],
    ['One <b>and</b> Two', ['One and Two']],
    ['<ul><li>One</li><li>Two</li></ul>Three', ['One', 'Two', 'Three']],
    ['<table><tr><td>One</td><th>Two</th></tr></table>', ['One', 'Two']],
    ['Before<h2>One</h2>after', ['Before', 'One', 'after']],
    ['<p> One \n\u00a0 Two </p><p> \u00a0</p>', ['One Two']],
    ['1 &lt; 2 &amp;&amp; &quot;3&quot; &gt; &#39;2&#39;', [`1 < 2 && "3" > '2'`]],
  ])('of %j', (html, paragraphs) => {
    const rich = read(html);
    expect(rich.paragraphs).toEqual(paragraphs);
    expect(rich.text).toBe(paragraphs.join(' '));
  });
});

describe('links', () => {
  it.each([
    ['<a href="https://a.example/?b=1&amp;c=2">One</a>', 'https://a.example/?b=1&c=2', 'One'],
    ['<a href="#">One <b>and</b>\n two </a> three', '#', 'One and two'],
    ['<a>One</a>', undefined, 'One'],
    ['<a href="#" name="top">One</a>', '#', 'One'],
    ['<a href="#a"><img src="b.png" alt="One"><img src="c.png">two</a>', '#a', 'One two'],
    // A link inside a link is part of the outer one.
    ['<a href="#a">One <a href="#b">two</a> three</a>', '#a', 'One two three'],
  ])('in %j', (html, href, label) => {
    expect(read(html).links).toEqual([{ href, label }]);
  });

  it('that are only link targets do not count', () => {
    expect(read('<a name="top">One</a>').links).toEqual([]);
  });

  it('end with their element, before the next link begins', () => {
    expect(read('<a href="#a">One</a> and <p><a href="#b">two</a></p>').links).toEqual([
      { href: '#a', label: 'One' },
      { href: '#b', label: 'two' },
    ]);
  });

  it('contain the runs and pictures inside their element', () => {
    const html =
      '<img src="a.png"><b>One</b><a href="#"><b>two</b> <img src="b.png"></a> <i> </i>three';
    const { runs, pictures } = read(html);
    expect(runs.map(({ text, isInLink }) => [text, isInLink])).toEqual([
      ['One', false],
      ['two', true],
      ['three', false],
    ]);
    expect(pictures).toEqual([
      { attributes: { src: 'a.png' }, isInLink: false },
      { attributes: { src: 'b.png' }, isInLink: true },
    ]);
  });
});

it('headings have a level and a text', () => {
  const html = '<h1>One <b>and</b> two </h1>text<div><h4>Three <h6>four</h6></h4></div>';
  expect(read(html).headings).toEqual([
    { level: 1, text: 'One and two' },
    { level: 4, text: 'Three four' },
  ]);
});

it('the tags of a text are collected', () => {
  expect([...read('<p>One<br><b>two</b></p>').tags]).toEqual(['p', 'br', 'b']);
});

it('attributes without a value are empty', () => {
  const [picture] = read('<img alt src="a.png" title="&quot;A&quot;"  />').pictures;
  expect(picture?.attributes).toEqual({ alt: '', src: 'a.png', title: '"A"' });
});

describe('the style of a text', () => {
  it.each([
    ['One', {}],
    ['<b>One</b>', { isBold: true }],
    ['<strong>One</strong>', { isBold: true }],
    ['<th>One</th>', { isBold: true }],
    ['<i>One</i>', {}],
    ['<b>x</b>One', {}],
    ['<b><i>One</i></b>', { isBold: true }],
    ['<b style="font-weight: normal">One</b>', { isBold: false }],
    ['<span style="font-size: 20px; ;color">One</span>', { fontSize: 20 }],
    ['<span style="color:red">One</span>', { colour: [255, 0, 0] }],
    ['<font color="#00f">One</font>', { colour: [0, 0, 255] }],
    ['<span color="#00f">One</span>', {}],
    // The `size` of a `font` element is not in pixels, so the font size is unknown.
    ['<font size="7">One</font>', { fontSize: undefined }],
    ['<span size="7">One</span>', {}],
    ['<td bgcolor="red">One</td>', { background: { colour: [255, 0, 0] } }],
    ['<p style="background: red">One</p>', { background: { colour: [255, 0, 0] } }],
    ['<img src="a.png" style="color:red">One', {}],
    ['<br style="color:red">One', {}],
  ])('in %j', (html, style) => {
    const run = read(html).runs.at(-1);
    expect(run).toEqual({ text: 'One', style: { ...STYLE, ...style }, isInLink: false });
  });

  it('lists the declarations of all elements', () => {
    const html = '<p style="color:red; padding : 0 1px"><b style="font:a:b"></b></p>';
    expect(read(html).declarations).toEqual([
      ['color', 'red'],
      ['padding', '0 1px'],
      ['font', 'a:b'],
    ]);
  });
});
