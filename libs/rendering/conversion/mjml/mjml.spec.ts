import { describe, expect, it } from '@jest/globals';
import { importDocument } from '../convert.js';

const read = (content: string) => importDocument({ format: 'mjml', content });
const withHead = (head: string, body: string) =>
  read(`<mjml><mj-head>${head}</mj-head><mj-body>${body}</mj-body></mjml>`);
const sectionOf = (columns: string) => `<mj-section>${columns}</mj-section>`;
const columnOf = (blocks: string) => sectionOf(`<mj-column>${blocks}</mj-column>`);

/** The blocks of the first container of the first stripe. */
const blocksOf = ({ document }: ReturnType<typeof read>): object[] => {
  const [stripe] = document['stripes'] as { containers: { blocks: object[] }[] }[];
  return stripe?.containers[0]?.blocks ?? [];
};
const entriesOf = ({ report }: ReturnType<typeof read>) =>
  report.entries
    .filter(({ source }) => source !== 'mjml')
    .map(({ outcome, message }) => `${outcome}: ${message}`);

describe('the head', () => {
  it('has the title, the preheader, the fonts and the styles of the document', () => {
    const head = `<mj-title>A &amp; B</mj-title><mj-preview>Soon</mj-preview>
      <mj-font name="Lora" href="https://example.com/lora.css" />
      <mj-attributes>
        <mj-all font-family="Georgia, serif" /><mj-text font-size="17px" line-height="1.4" color="#112233" />
        <mj-button background-color="#00aa00" /><mj-divider border-width="2px" />
      </mj-attributes>`;
    const { document } = withHead(head, columnOf('<mj-button>Go</mj-button>'));
    expect(document).toMatchObject({
      title: 'A & B',
      preheader: 'Soon',
      fonts: [{ name: 'Lora', url: 'https://example.com/lora.css' }],
      styles: {
        fontFamily: 'Georgia, serif',
        fontSize: 17,
        lineHeight: 1.4,
        textColor: '#112233',
        button: { 'background-color': '#00aa00' },
        // No divider uses it, but a divider that somebody adds will.
        divider: { 'border-width': '2px' },
      },
    });
  });

  it('gives the attributes of a class to an element, and to the elements inside', () => {
    const head = `<mj-attributes><mj-class name="red" color="#aa0000"><mj-text font-size="20px" /></mj-class>
      <mj-class name="big" font-size="30px" /></mj-attributes>`;
    const body =
      sectionOf(`<mj-column mj-class="red"><mj-text>One</mj-text></mj-column>`) +
      columnOf('<mj-text mj-class="red big">Two</mj-text>');
    const { document } = withHead(head, body);
    const texts = [...JSON.stringify(document).matchAll(/"props":(\{[^}]*\})/g)].map(
      ([, props = '']) => JSON.parse(props) as object,
    );
    expect(texts).toEqual([
      { 'font-size': '20px', content: 'One' },
      { color: '#aa0000', 'font-size': '30px', content: 'Two' },
    ]);
  });

  it('has rules that become styles of texts, and rules that are lost', () => {
    const css =
      'p.lead { color: #00aa00 } @media print { p { color: red } } a:hover { color: red }';
    const result = withHead(
      `<mj-style>${css}</mj-style>`,
      columnOf('<mj-text><p class="lead">A</p></mj-text>'),
    );
    expect(JSON.stringify(blocksOf(result))).toContain('color: #00aa00');
    expect(entriesOf(result)).toEqual([
      'lost: The rules for @media print are lost.',
      'lost: The rules for a:hover are lost.',
    ]);
  });
});

describe('fonts that MJML loads from Google', () => {
  const text = columnOf('<mj-text>Hello</mj-text>');
  const fontsIn = (result: ReturnType<typeof read>) =>
    result.report.entries.flatMap(({ source, message }) => (source === 'mjml' ? [message] : []));

  it('are in the report', () => {
    expect(fontsIn(withHead('', text))).toEqual([
      'MJML loads Ubuntu from Google, and Galley does not. To load a font, add it to fonts.',
    ]);
  });

  it('are not if the email uses none of them, or loads them itself', () => {
    const other = '<mj-attributes><mj-all font-family="Georgia, serif" /></mj-attributes>';
    expect(fontsIn(withHead(other, text))).toEqual([]);
    const own = '<mj-font name="Ubuntu" href="https://example.com/ubuntu.css" />';
    expect(fontsIn(withHead(own, text))).toEqual([]);
  });
});

describe('columns', () => {
  it('of mj-group stay side by side if the section has no others', () => {
    const group = '<mj-group><mj-column /><mj-column /></mj-group>';
    const { document } = read(`<mjml><mj-body>${sectionOf(group)}</mj-body></mjml>`);
    expect(document['stripes']).toMatchObject([{ mobile: { stack: false }, containers: [{}, {}] }]);
  });

  it('of mj-group beside others become columns of a container', () => {
    const columns = '<mj-group><mj-column /><mj-column /></mj-group><mj-column />';
    const result = read(`<mjml><mj-body>${sectionOf(columns)}</mj-body></mjml>`);
    expect(result.document['stripes']).toMatchObject([
      {
        containers: [
          { styles: { width: '50%' }, blocks: [{ type: 'column' }, { type: 'column' }] },
          {},
        ],
      },
    ]);
    expect(entriesOf(result)).toEqual([
      'approximated: Phones show the columns of this mj-group below each other.',
    ]);
  });

  it('without a width beside others have the width that MJML gives them', () => {
    const columns = '<mj-column width="100px" /><mj-column />';
    const { document } = read(`<mjml><mj-body>${sectionOf(columns)}</mj-body></mjml>`);
    expect(document['stripes']).toMatchObject([
      { containers: [{ styles: { width: '100px' } }, { styles: { width: '50%' } }] },
    ]);
  });
});

describe('blocks', () => {
  const blocks = (html: string) => {
    const result = read(`<mjml><mj-body>${columnOf(html)}</mj-body></mjml>`);
    return { blocks: blocksOf(result), entries: entriesOf(result) };
  };

  it('paragraphs have the margins that MJML gives them', () => {
    const { blocks: texts } = blocks('<mj-text><p>One</p><p style="margin:0">Two</p></mj-text>');
    expect(texts).toMatchObject([
      {
        type: 'text',
        props: { content: '<p style="margin:13px 0">One</p><p style="margin:0">Two</p>' },
      },
    ]);
  });

  it('a text with a picture is HTML, and so are tables and raw HTML', () => {
    const { blocks: html, entries } = blocks(
      '<mj-text><img src="https://example.com/a.png"></mj-text><mj-table><tr><td>A</td></tr></mj-table><mj-raw><b>B</b></mj-raw><mj-raw><!-- C --></mj-raw>',
    );
    expect(html.map((each) => (each as { type: string }).type)).toEqual(['html', 'html', 'html']);
    expect(entries).toEqual([
      'kept-as-html: A text block cannot have <img>.',
      'kept-as-html: The table is HTML, because its cells have styles of their own.',
      'kept-as-html: Galley keeps HTML as it is.',
    ]);
  });

  it('links without a colour have the colour of browsers', () => {
    const text = '<mj-text color="#aa0000"><a href="https://example.com">A</a></mj-text>';
    expect(blocks(text).blocks).toMatchObject([{ props: { 'link-color': '#0000ee' } }]);
  });

  it('a social link shares its URL if MJML shares it', () => {
    const social = `<mj-social><mj-social-element name="facebook" href="https://example.com/" />
      <mj-social-element name="github-noshare" href="https://example.com/us">Us</mj-social-element></mj-social>`;
    expect(blocks(social).blocks).toMatchObject([
      {
        type: 'social',
        props: {
          elements: [
            {
              name: 'facebook',
              href: 'https://www.facebook.com/sharer/sharer.php?u=https://example.com/',
            },
            { name: 'github', href: 'https://example.com/us', content: 'Us' },
          ],
        },
      },
    ]);
  });

  it('a carousel is its first picture', () => {
    const images = ['a', 'b'].map(
      (name) => `<mj-carousel-image src="https://example.com/${name}.png" />`,
    );
    const { blocks: pictures, entries } = blocks(`<mj-carousel>${images.join('')}</mj-carousel>`);
    expect(pictures).toMatchObject([
      { type: 'image', props: { src: 'https://example.com/a.png' } },
    ]);
    expect(entries).toEqual([expect.stringMatching(/^approximated: Galley has no carousel/)]);
  });

  it('a picture beside others stays as wide as its column', () => {
    const column = '<mj-column><mj-image src="https://example.com/a.png" /></mj-column>';
    const result = read(`<mjml><mj-body>${sectionOf(column + column)}</mj-body></mjml>`);
    expect(blocksOf(result)).toMatchObject([{ props: { width: '250px' } }]);
  });
});
