import { beforeAll, describe, expect, it } from '@jest/globals';
import { render, type Block, type Container, type EmailDocument } from '#client';
import { clientFor } from '../support/stack.js';
import { useBrowser, Visitor } from '../support/visitor.js';

const text = (content: string): Block => ({ type: 'text', props: { content, padding: '0' } });

const columns: Container = {
  styles: { width: '66%', padding: '10px', 'background-color': '#cde6ff', color: '#990000' },
  blocks: [
    { type: 'column', blocks: [text('first column')] },
    { type: 'column', condition: 'isShown', blocks: [text('second column')] },
  ],
};
const DOCUMENT: EmailDocument = {
  stripes: [
    { containers: [columns, { styles: { width: '34%' }, blocks: [text('second container')] }] },
  ],
};

let ada: Visitor;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor('ada@example.com');
  const { data } = await render({ client, body: { content: DOCUMENT } });
  expect(data.warnings).toEqual([]);
  ada = await Visitor.arrive();
  await ada.page.setContent(data.html ?? '');
});

async function boxOf(content: string) {
  const box = await ada.page.getByText(content).boundingBox();
  return { left: box?.x, width: box?.width, top: box?.y };
}

describe('a container with styles, whose blocks are columns', () => {
  it('has its columns side by side, beside the next container', async () => {
    await ada.page.setViewportSize({ width: 600, height: 800 });
    const [first, second, beside] = await Promise.all(
      ['first column', 'second column', 'second container'].map(boxOf),
    );
    // 66 % of 600 pixels without the padding, in halves.
    expect(first).toMatchObject({ left: 10, width: 188 });
    expect(second).toMatchObject({ left: 198, width: 188, top: first?.top });
    expect(beside).toMatchObject({ left: 396, width: 204 });
  });

  it('stacks its columns on phones', async () => {
    await ada.page.setViewportSize({ width: 375, height: 800 });
    const first = await boxOf('first column');
    const second = await boxOf('second column');
    expect([first.left, second.left]).toEqual([10, 10]);
    expect([first.width, second.width]).toEqual([355, 355]);
    expect(second.top).toBeGreaterThan(first.top ?? Infinity);
  });

  it('passes its styles on', async () => {
    const styles: unknown = await ada.page.evaluate(`(() => {
      const text = [...document.querySelectorAll('div')].findLast((each) =>
        each.textContent.includes('second column'));
      const box = text.closest('[style*="cde6ff"]');
      return [getComputedStyle(text).color, getComputedStyle(box).backgroundColor];
    })()`);
    expect(styles).toEqual(['rgb(153, 0, 0)', 'rgb(205, 230, 255)']);
  });
});
